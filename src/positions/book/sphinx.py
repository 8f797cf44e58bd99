"""What the site needs beyond Jupyter Book, so that it works with the network off."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert
from sphinx.application import Sphinx
from sphinx.config import Config

from positions.book import digest, kernel
from positions.errors import NotAtHandError

CHARTS_SCRIPT = "charts/book-charts.js"
VEGA_SCRIPT = (
    f"charts/vega-{alt.VEGALITE_VERSION}-{importlib.metadata.version('vl-convert-python')}.js"
)
MATHJAX_PACKAGE = "sphinx-mathjax-offline"
MATHJAX_SCRIPT = "tex-chtml-full.js"
_EXPORTS = "Object.assign(window, { vega, vegaLite, vegaEmbed });"
# a browser doesn't let a page from the disk read other pages, which summaries of hits would need
_NO_SUMMARIES_FROM_DISK = (
    "if (location.protocol === 'file:') DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;"
)
MATHJAX_FONTS = "output/chtml/fonts/woff-v2"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx (`sphinx: extra_extensions: [positions.book.sphinx]`)."""
    app.connect("config-inited", _configure)
    app.connect("builder-inited", _add_mathjax)
    app.connect("html-page-context", _add_scripts_where_needed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _configure(app: Sphinx, config: Config) -> None:
    config.mathjax_path = f"mathjax/{MATHJAX_SCRIPT}"
    config.nb_execution_raise_on_error = True
    # jupyter-cache knows a notebook's cells only; a folder by digest of the library and of the
    # packages makes a change there run the chapters again
    built = Path(app.outdir).parent
    cache = built / ".jupyter_cache" / digest.surroundings(Path(app.srcdir))
    for old in cache.parent.glob("*"):
        if old != cache:
            shutil.rmtree(old, ignore_errors=True)
    config.nb_execution_cache_path = str(cache)
    os.environ[kernel.VARIABLE] = kernel.install(built / ".kernel")


def _add_mathjax(app: Sphinx) -> None:
    folder = Path(app.outdir).parent / ".assets"
    source = mathjax_folder()
    for file in [source / MATHJAX_SCRIPT, *sorted((source / MATHJAX_FONTS).glob("*.woff"))]:
        _write(folder / "mathjax" / file.relative_to(source), file.read_bytes())
    app.config.html_static_path.append(str(folder))


def _add_scripts_where_needed(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if 'class="book-chart"' in context.get("body", ""):
        _write_chart_scripts(Path(app.outdir) / "_static")
        app.add_js_file(VEGA_SCRIPT, loading_method="defer")
        app.add_js_file(CHARTS_SCRIPT, loading_method="defer")
    if page == "search":
        app.add_js_file(None, body=_NO_SUMMARIES_FROM_DISK, priority=900)


def _write_chart_scripts(folder: Path) -> None:
    bundle = folder / VEGA_SCRIPT
    if not bundle.is_file():  # its versions are in its name
        _write(bundle, vega_bundle())
    ours = files("positions.book") / "assets" / "book-charts.js"
    _write(folder / CHARTS_SCRIPT, ours.read_text("utf-8"))


def vega_bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, in the version that Altair speaks."""
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    bundle = vl_convert.javascript_bundle(_EXPORTS, vl_version=version)
    loaded = json.dumps(
        {
            "vega_version": alt.VEGA_VERSION,
            "vegalite_version": alt.VEGALITE_VERSION,
            "vegaembed_version": alt.VEGAEMBED_VERSION,
        }
    )
    # Altair's own HTML looks for VEGA_DEBUG before it reaches for the network
    return f"(function () {{\n{bundle}\n}})();\nvar VEGA_DEBUG = {loaded};\n"


def mathjax_folder() -> Path:
    """Return MathJax as installed, raising `NotAtHandError` where it isn't."""
    try:
        installed = importlib.metadata.files(MATHJAX_PACKAGE) or []
        script = next(file for file in installed if file.name == MATHJAX_SCRIPT)
    except (importlib.metadata.PackageNotFoundError, StopIteration):
        raise NotAtHandError(
            f"MathJax is missing: the package {MATHJAX_PACKAGE} isn't installed whole. "
            "Install what requirements.txt lists."
        ) from None
    return Path(str(script.locate())).parent


def _write(path: Path, content: str | bytes) -> None:
    """Write a file where its content differs, so that nothing is copied for nothing."""
    data = content.encode() if isinstance(content, str) else content
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
