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

  const PHONE = 600; // below this width, views that stood side by side stand one below the other

  function views(spec) {
    return spec.hconcat || spec.vconcat || spec.concat || (spec.spec ? [spec.spec] : null);
  }

  function leaves(spec) {
    const inner = views(spec);
    return inner ? inner.flatMap(leaves) : [spec];
  }

  function facet(spec) {
    return spec.encoding && (spec.encoding.facet || spec.encoding.column);
  }

  const AXIS = 50; // what a small view needs beside its plot, about

  // Views side by side go one below the other; of small panels, as many stay as there is room for.
  function stack(spec, room) {
    if (spec.hconcat) {
      spec.vconcat = spec.hconcat;
      delete spec.hconcat;
    }
    for (const split of [spec, facet(spec)]) {
      if (split && split.columns) {
        const each = leaves(spec)[0].width;
        const most = typeof each === "number" ? Math.floor(room / (each + AXIS)) : 1;
        split.columns = Math.max(1, Math.min(split.columns, most));
      }
    }
    (views(spec) || []).forEach((inner) => stack(inner, room));
  }

  // Long names of categories may take part of the width only.
  function shorten(node, limit) {
    for (const [key, value] of Object.entries(node)) {
      if (key === "labelLimit") node[key] = Math.min(value, limit);
      else if (value && typeof value === "object" && key !== "legend") shorten(value, limit);
    }
  }

  function sideBySide(spec) {
    const split = facet(spec);
    return (spec.hconcat && spec.hconcat.length) || spec.columns || (split && split.columns) || 1;
  }

  // The chart for a page that it is too wide for: legends below, titles that end with the axis.
  function narrow(text, room) {
    const spec = JSON.parse(text);
    const config = (spec.config = spec.config || {});
    const columns = room < PHONE ? 1 : 2;
    const legend = { orient: "bottom", columns, labelLimit: room / columns - 40 };
    config.legend = { ...config.legend, ...legend };
    config.axisX = { ...config.axisX, titleAnchor: "end" };
    if (room < PHONE) {
      config.legend.layout = { bottom: { anchor: "end" } };
      stack(spec, room);
      leaves(spec).forEach((leaf) => shorten(leaf, room / 2.4));
    }
    for (const leaf of leaves(spec)) {
      leaf.width = Math.min(typeof leaf.width === "number" ? leaf.width : room, room);
    }
    return spec;
  }

  // Each leaf, with how many of its width stand side by side.
  function placed(spec, beside) {
    const inner = views(spec);
    const all = beside * sideBySide(spec);
    return inner ? inner.flatMap((view) => placed(view, all)) : [{ leaf: spec, beside: all }];
  }

  // Shrink the widest rows until the chart fits, and no row that has room.
  async function fit(box, text, room) {
    const spec = narrow(text, room);
    const rows = placed(spec, 1);
    for (let tries = 0; tries < 6; tries += 1) {
      const excess = (await embed(box, spec)) - room;
      if (excess <= 0) return;
      const widest = Math.max(...rows.map(({ leaf, beside }) => beside * leaf.width));
      for (const { leaf, beside } of rows) {
        const over = excess - (widest - beside * leaf.width);
        if (over > 0) leaf.width = Math.max(80, leaf.width - Math.ceil(over / beside));
      }
    }
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
      if (width > room) await fit(box, source.textContent, room);
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
    for (const figure of document.querySelectorAll(".book-chart figure")) {
      await draw(figure);
      await new Promise((next) => setTimeout(next)); // the page stays usable meanwhile
    }
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
