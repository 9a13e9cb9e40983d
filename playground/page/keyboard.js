// Inline keyboards: rows share the width equally, colours follow the buttons' styles.

import { element } from "./dom.js";
import { plain } from "./entities.js";

const STYLES = new Set(["primary", "success", "danger"]);

/** What a button does, which also chooses the small sign in its corner. */
export function kind(button) {
  if (button.callback_data !== undefined) return "callback";
  if (button.url !== undefined) return "url";
  if (button.copy_text !== undefined) return "copy";
  const inline = Object.keys(button).some((name) => name.startsWith("switch_inline_query"));
  return inline ? "inline" : "other";
}

// A label without letters and of hardly any length is a picture, such as a cell of a board, and is shown large.
function isPicture(label) {
  return [...new Intl.Segmenter().segment(label)].length <= 2 && !/[\p{L}]/u.test(label);
}

/** Shows `rows` in `keyboard`; buttons that stay in place are kept, with their focus and their busy state. */
export function showKeyboard(keyboard, rows) {
  const shape = rows.map((row) => row.length).join();
  if (keyboard.dataset.shape !== shape) {
    keyboard.dataset.shape = shape;
    keyboard.replaceChildren(...rows.map((row, index) => emptyRow(index, row.length)));
  }
  rows.forEach((row, index) => {
    const node = keyboard.children[index];
    const board = row.every((button) => isPicture(button.text));
    node.classList.toggle("cells", board);
    node.style.setProperty("--columns", row.length);
    row.forEach((button, column) => showButton(node.children[column], button));
  });
}

function emptyRow(row, length) {
  const buttons = Array.from({ length }, (_, column) => element("button", { type: "button", data: { row, column } }));
  return element("div", { class: "row" }, ...buttons);
}

function showButton(node, button) {
  node.dataset.kind = kind(button);
  if (STYLES.has(button.style)) node.dataset.style = button.style;
  else delete node.dataset.style;
  node.title = button.url ?? "";
  if (node.textContent !== button.text) node.replaceChildren(element("span", { dir: "auto" }, ...plain(button.text)));
}
