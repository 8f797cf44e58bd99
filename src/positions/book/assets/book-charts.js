// Draws every chart of a page from the specification that the page holds: no network, colours of
// text and lines by the page's theme, drawn anew when the theme or the width of the page changes.
(function () {
  "use strict";

  function colours() {
    const dark = document.documentElement.dataset.theme === "dark";
    return dark
      ? { text: "#ced6dd", quiet: "#9ca4af", line: "#5b6673" }
      : { text: "#222832", quiet: "#48566b", line: "#a9b1bb" };
  }

  function theme() {
    const { text, quiet, line } = colours();
    return {
      background: "transparent",
      axis: {
        labelColor: text, titleColor: text, domainColor: line, tickColor: line, gridColor: line,
      },
      legend: { labelColor: text, titleColor: text },
      header: { labelColor: text, titleColor: text },
      title: { color: text, subtitleColor: quiet },
      text: { color: text },
      rule: { color: quiet },
      errorbar: { rule: { color: quiet } },
    };
  }

  function views(spec) {
    return spec.hconcat || spec.vconcat || spec.concat || (spec.spec ? [spec.spec] : null);
  }

  // Narrow pages: one view below the other, each as wide as the page, legends below.
  function narrow(spec, room) {
    const inner = views(spec);
    const facet = spec.encoding && (spec.encoding.facet || spec.encoding.column);
    if (spec.hconcat) {
      spec.vconcat = spec.hconcat;
      delete spec.hconcat;
    }
    if (spec.columns) spec.columns = 1;
    if (facet && facet.columns) facet.columns = 1;
    if (inner) {
      inner.forEach((view) => narrow(view, room));
    } else if (facet) {
      spec.width = Math.min(typeof spec.width === "number" ? spec.width : room, room - 80);
    } else {
      spec.width = Math.min(typeof spec.width === "number" ? spec.width : room, room);
    }
    return spec;
  }

  function fitted(original, room) {
    const spec = narrow(JSON.parse(original), room);
    const alone = !views(spec) && !(spec.encoding && (spec.encoding.facet || spec.encoding.column));
    if (alone) {
      spec.width = room;
      spec.autosize = { type: "fit-x", contains: "padding" };
    } else {
      narrow(spec, room - 90);
    }
    const config = (spec.config = spec.config || {});
    const columns = room < 480 ? 1 : 2;
    config.legend = { ...config.legend, orient: "bottom", columns, labelLimit: room / 2 };
    config.axisX = { ...config.axisX, titleAnchor: "end" }; // so that a long title ends in view
    config.axisY = { ...config.axisY, labelLimit: room / 3 };
    return spec;
  }

  // Sliders stand beside the figure, not in it: to a screen reader the figure is one image.
  async function embed(box, spec) {
    const controls = box.closest(".book-chart").querySelector(".book-chart-controls");
    controls.replaceChildren();
    await window.vegaEmbed(box, spec, {
      mode: "vega-lite", renderer: "svg", actions: false, config: theme(), bind: controls,
    });
    return Number(box.querySelector("svg").getAttribute("width"));
  }

  async function draw(figure) {
    const source = figure.querySelector('script[type="application/json"]');
    let box = figure.querySelector(".book-chart-drawing");
    if (!box) {
      box = figure.appendChild(document.createElement("div"));
      box.className = "book-chart-drawing";
      const controls = document.createElement("div");
      controls.className = "book-chart-controls";
      figure.after(controls);
    }
    try {
      const width = await embed(box, JSON.parse(source.textContent));
      const room = Math.floor(figure.clientWidth);
      if (width > room) await embed(box, fitted(source.textContent, room));
      figure.querySelector(".book-chart-text")?.remove(); // stood in where no script runs
      figure.dataset.drawn = colours().text;
    } catch (error) {
      fail(figure, box, error);
    }
  }

  function fail(figure, box, error) {
    console.error("Chart not drawn:", error);
    const text = document.createElement("p");
    text.className = "book-chart-error";
    text.textContent =
      `This chart could not be drawn (${error.message || error}). ` +
      "Its numbers stand in the table below.";
    box.replaceChildren(text);
    figure.removeAttribute("role"); // so that the message is read out
    const numbers = figure.parentElement.querySelector("details");
    if (numbers) numbers.open = true;
  }

  async function drawAll() {
    for (const figure of document.querySelectorAll(".book-chart figure")) await draw(figure);
  }

  let last = null; // drawings follow each other, so that a late one never overwrites a newer one
  function redraw() {
    last = (last || Promise.resolve()).then(drawAll);
  }

  let timer = 0;
  let width = window.innerWidth;
  function resized() {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(redraw, 200);
  }

  function start() {
    redraw();
    new MutationObserver(redraw).observe(document.documentElement, {
      attributes: true, attributeFilter: ["data-theme"],
    });
    window.addEventListener("resize", resized);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
