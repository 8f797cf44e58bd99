"""External files: what there is, where it lies on this machine, where to get it."""

from positions.data.catalogue import available, resource, resources
from positions.data.files import find, locate, read
from positions.data.resources import Hub, Resource, Url

__all__ = [
    "Hub",
    "Resource",
    "Url",
    "available",
    "find",
    "locate",
    "read",
    "resource",
    "resources",
]
