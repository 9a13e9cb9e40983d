// Sheets: what lies over the page to be read and filled in, a profile for example, and the forms in them.

import { element } from "./dom.js";

const sheet = document.querySelector("dialog#sheet");
const title = sheet.querySelector("h2");
const body = sheet.querySelector(":scope > div");
let build = null; // builds the open sheet's title and nodes whenever what it shows has changed

/** Opens a sheet; `content()` gives `[title, ...nodes]`, and null once there is nothing to show any more. */
export function openSheet(content) {
  build = content;
  fill();
  if (!sheet.open) sheet.showModal();
  body.scrollTop = 0;
}

/** Redraws the open sheet, unless somebody is typing in it. */
export function refreshSheet() {
  if (sheet.open && !sheet.querySelector("form.changed")) fill();
}

export function closeSheet() {
  sheet.close();
}

function fill() {
  const content = build();
  if (!content) {
    sheet.close();
    return;
  }
  const focused = document.activeElement?.dataset.focus;
  const [name, ...nodes] = content;
  title.textContent = name;
  body.replaceChildren(...nodes.filter(Boolean));
  if (focused) body.querySelector(`[data-focus="${focused}"]`)?.focus();
}

sheet.addEventListener("click", (event) => {
  if (event.target === sheet) sheet.close(); // outside the sheet, on what it covers
});
document.querySelector("#close-sheet").addEventListener("click", closeSheet);

/**
 * A form; `fields` are those of an act, by name {label, required, maxlength, hint, options}, filled in with `values`.
 * `submit(written)` gets what was written.
 */
export function form(fields, values, action, submit, ...more) {
  const nodes = Object.entries(fields).map(([name, about]) => field(name, about, values[name] ?? ""));
  const node = element("form", {}, ...nodes, ...more, element("button", { class: "solid" }, action));
  node.addEventListener("input", () => node.classList.add("changed"));
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    node.classList.remove("changed");
    submit(Object.fromEntries(new FormData(node)), node);
  });
  return node;
}

function field(name, { label, hint, required, maxlength, options }, value) {
  const attributes = { name, required, maxlength, placeholder: hint || undefined, autocomplete: "off", data: { focus: name } };
  const choices = options && Object.entries(value in options ? options : { ...options, [value]: value });
  const control = options
    ? element("select", { name, data: { focus: name } },
      ...choices.map(([key, words]) => element("option", { value: key, selected: key === String(value) }, words)))
    : element("input", { ...attributes, value, dir: "auto" });
  return element("label", { class: "field" }, element("span", {}, label), control);
}

/** A button that does something; `name` keeps the focus on it when its sheet is redrawn. */
export function action(label, name, act, look = "plain") {
  const node = element("button", { type: "button", class: look, data: { focus: name } }, label);
  node.addEventListener("click", act);
  return node;
}

/** A row that leads to something: a picture, a title, words below and words at the end. */
export function row(picture, heading, words, end, name, act) {
  const node = element("button", { type: "button", class: "item", data: { focus: name } },
    picture,
    element("span", { class: "title" }, element("bdi", {}, heading)),
    words ? element("span", { class: "preview" }, words) : null,
    end ? element("span", { class: "end" }, end) : null);
  node.addEventListener("click", act);
  return element("li", {}, node);
}

export const heading = (words) => element("h3", {}, words);

export const list = (...rows) => element("ul", {}, ...rows);
