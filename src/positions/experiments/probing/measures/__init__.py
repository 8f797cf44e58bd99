"""All measures by name."""

from positions.experiments.probing.measures import distance, geometry, index, order
from positions.experiments.probing.reading import Measure

MEASURES: dict[str, Measure] = {
    measure.name: measure
    for module in (index, order, distance, geometry)
    for measure in module.MEASURES
}
