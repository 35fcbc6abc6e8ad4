"use strict";
const data = JSON.parse(document.getElementById("data").textContent);

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

function number(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/* A time, given in ms, in the unit that suits it. */
function time(ms) {
  if (typeof ms !== "number") return "";
  const [factor, unit] = ms >= 1000 ? [1e-3, " s"] : ms >= 1 || ms === 0 ? [1, " ms"]
    : ms >= 1e-3 ? [1e3, " us"] : [1e6, " ns"];
  return number(ms * factor) + unit;
}

function facts(id, rows) {
  const table = document.getElementById(id);
  for (const [name, value] of rows) {
    if (value === undefined || value === null || value === "") continue;
    const row = element("tr", null, table);
    element("td", name, row);
    element("td", number(value), row);
  }
}

/* ---- pictures ---- */

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes)
    if (/^(fill|stroke)$/.test(key)) made.style[key] = attributes[key];
    else made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}

function range(values) {
  let low = Math.min(...values), high = Math.max(...values);
  const margin = (high - low) * 0.06 || Math.abs(low) * 0.1 || 1;
  return [low - margin, high + margin];
}

/* About so many round numbers from low to high. */
function roundSteps(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find(t => t * power >= rough * 0.9));
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/* The same on an axis of logarithms: powers of ten; 2 and 5 times these where there are few. */
function roundPowers(low, high, count) {
  const ticks = [], every = Math.max(1, Math.ceil((high - low) / count));
  for (let power = Math.floor(low); power <= high; power += every)
    for (const times of high - low < 3 ? [1, 2, 5] : [1]) {
      const tick = Number((times * 10 ** power).toPrecision(12));
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick);
    }
  return ticks.length > 1 ? ticks : roundSteps(10 ** low, 10 ** high, count);
}

/* An axis of numbers: what part of it a number is at, and ticks. */
function scale(values, logs) {
  const of = v => logs ? Math.log10(v) : v;
  let [low, high] = range(values.map(of));
  if (!logs && Math.min(...values) >= 0) low = Math.max(low, 0);
  const part = value => (of(value) - low) / (high - low);
  return { logs, low, high, part,
           ticks: count => (logs ? roundPowers : roundSteps)(low, high, count)
             .map(tick => [part(tick), tick]) };
}

/* A frame for a picture. x and y have ticks [part, text]; left is the room for those of y. */
function box(parent, width, height, options) {
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
                             "aria-label": options.title || options.x }, parent);
  svg.style.maxWidth = "100%";
  const left = options.left || 64, top = 28, right = width - 30, bottom = height - 40;
  shape("rect", { x: left, y: top, width: right - left, height: bottom - top, fill: "none",
                  stroke: "var(--axis)" }, svg);
  for (const [part, text] of options.xticks || [])
    shape("text", { x: left + part * (right - left), y: bottom + 14, "text-anchor": "middle" },
          svg, text);
  for (const [part, text] of options.yticks || [])
    shape("text", { x: left - 5, y: bottom - part * (bottom - top) + 4, "text-anchor": "end" },
          svg, text);
  shape("text", { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, svg, options.x);
  shape("text", { x: 4, y: 12 }, svg, options.y);
  return {
    svg, left, right, top, bottom,
    x: part => left + part * (right - left),
    y: part => bottom - part * (bottom - top),
  };
}

function say(mark, text) {
  shape("title", {}, mark, text);
  return mark;
}

/* A vertical bar from low to high with short ends, as of an interval. */
function whisker(svg, x, low, high, color) {
  return shape("path", { d: `M${x - 3} ${low}h6m-3 0V${high}m-3 0h6`, fill: "none",
                         stroke: color, class: "interval" }, svg);
}

/* The colours of viridis, from 0 to 1. */
const STOPS = ["440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70",
               "7ad151", "bddf26", "fde725"];
function viridis(part) {
  const place = Math.min(Math.max(part, 0), 1) * (STOPS.length - 1);
  const at = Math.min(Math.floor(place), STOPS.length - 2);
  const byte = (i, k) => parseInt(STOPS[i].slice(2 * k, 2 * k + 2), 16);
  const mixed = [0, 1, 2].map(k => Math.round(byte(at, k) +
                                              (byte(at + 1, k) - byte(at, k)) * (place - at)));
  return "rgb(" + mixed.join(",") + ")";
}
