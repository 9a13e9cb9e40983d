// Inline keyboards: rows share the width equally, colours follow the buttons' styles; cells of a board have names
// to be read aloud, and the arrow keys go from button to button.

import { element } from "./dom.js";
import { plain } from "./entities.js";

const STYLES = new Set(["primary", "success", "danger"]);
const SPOKEN = { "❌": "X", "✖": "X", "⭕": "O", "🔵": "O", "🟡": "O", "·": "empty", "•": "empty", "⬜": "empty", "◻": "empty", "▫": "empty" };
const SMALLEST_BOARD = 3;
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** What a button does, which also chooses the small sign in its corner. */
export function kind(button) {
  if (button.callback_data !== undefined) return "callback";
  if (button.url !== undefined) return "url";
  return button.switch_inline_query_chosen_chat !== undefined ? "switch" : "other";
}

// A label without letters and of hardly any length is a picture, such as a cell of a board, and is shown large.
function isPicture(label) {
  return [...new Intl.Segmenter().segment(label)].length <= 2 && !/[\p{L}]/u.test(label);
}

const isCell = (label) => isPicture(label) || /^[XO]$/.test(label);

/** Shows `rows` in `keyboard`; buttons that stay in place are kept, with their focus and their busy state. */
export function showKeyboard(keyboard, rows) {
  const shape = rows.map((row) => row.length).join();
  if (keyboard.dataset.shape !== shape) {
    keyboard.dataset.shape = shape;
    keyboard.replaceChildren(...rows.map((row, index) => emptyRow(index, row.length)));
  }
  const board = boardOf(rows);
  rows.forEach((row, index) => {
    const node = keyboard.children[index];
    const cells = index >= board.first && index < board.end;
    node.classList.toggle("cells", cells || row.every((button) => isPicture(button.text)));
    node.classList.toggle("board", cells);
    node.style.setProperty("--columns", row.length);
    row.forEach((button, column) => {
      const name = cells ? cellName(button, index - board.first, column) : null;
      showButton(node.children[column], button, name);
    });
  });
  showStop(keyboard);
}

// The rows of a board: as many equal rows of cells as follow each other, at least three by three.
function boardOf(rows) {
  const none = { first: 0, end: 0 };
  const first = rows.findIndex((row) => row.length >= SMALLEST_BOARD && row.every(({ text }) => isCell(text)));
  if (first < 0) return none;
  let end = first;
  while (end < rows.length && rows[end].length === rows[first].length && rows[end].every(({ text }) => isCell(text))) end += 1;
  return end - first < SMALLEST_BOARD ? none : { first, end };
}

function cellName({ text, style }, row, column) {
  const label = text.replace(/\uFE0F/gu, "").trim();
  const marked = STYLES.has(style) ? ", highlighted" : "";
  return `row ${row + 1}, column ${column + 1}: ${SPOKEN[label] ?? (label || "empty")}${marked}`;
}

function emptyRow(row, length) {
  const buttons = Array.from({ length }, (_, column) => element("button", { type: "button", data: { row, column } }));
  return element("div", { class: "row" }, ...buttons);
}

function showButton(node, button, name) {
  node.dataset.kind = kind(button);
  if (STYLES.has(button.style)) node.dataset.style = button.style;
  else delete node.dataset.style;
  node.title = button.url ?? "";
  if (name) node.setAttribute("aria-label", name);
  else node.removeAttribute("aria-label");
  if (node.textContent !== button.text) node.replaceChildren(element("span", { dir: "auto" }, ...plain(button.text)));
}

// A board is one stop of the Tab key, at the cell where one was last; within it the arrow keys go about.
function showStop(keyboard, stop = keyboard.querySelector(".board [tabindex='0']")) {
  const cells = [...keyboard.querySelectorAll(".board button")];
  const chosen = cells.includes(stop) ? stop : cells[0];
  for (const cell of cells) cell.tabIndex = cell === chosen ? 0 : -1;
  for (const other of keyboard.querySelectorAll(".row:not(.board) button")) other.tabIndex = 0;
}

/** Lets the arrow keys go through the buttons of the keyboards in `container`. */
export function onArrows(container) {
  container.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const button = event.target.closest(".row button");
    if (!step || !button || event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = [...button.closest(".keyboard").children];
    const row = rows[Number(button.dataset.row) + step[0]];
    const column = Number(button.dataset.column) + step[1];
    const target = row?.children[step[1] ? column : Math.min(column, row.children.length - 1)];
    event.preventDefault(); // the arrows would scroll
    target?.focus();
  });
  container.addEventListener("focusin", ({ target }) => {
    if (target.closest(".board")) showStop(target.closest(".keyboard"), target);
  });
}
