// Toasts, alerts and the choice of a chat: what lies over the page for a moment.

import { avatar, element } from "./dom.js";

const SHORTEST_TOAST = 3000; // milliseconds
const PER_CHARACTER = 50; // so that 200 characters, the longest answer, can be read to the end

const toastNode = document.querySelector("#toast");
const alertNode = document.querySelector("dialog#alert");
const pickerNode = document.querySelector("dialog#picker");
const waiting = [];
let fading = 0;

/** Shows a short text that goes by itself. */
export function toast(text) {
  clearTimeout(fading);
  toastNode.replaceChildren(element("span", { dir: "auto" }, text));
  toastNode.classList.add("visible");
  fading = setTimeout(() => toastNode.classList.remove("visible"), Math.max(SHORTEST_TOAST, PER_CHARACTER * text.length));
}

/** Shows a text that wants to be read; several come one after the other. */
export function alert(text) {
  waiting.push(text);
  nextAlert();
}

function nextAlert() {
  if (alertNode.open || waiting.length === 0) return;
  alertNode.querySelector("p").textContent = waiting.shift();
  alertNode.showModal();
}

alertNode.addEventListener("close", nextAlert);

/** Lets the person choose one of `chats` ({id, title}); gives its id, or null. */
export function pickChat(chats) {
  const choices = chats.map(({ id, title }) =>
    element("li", {}, element("button", { class: "item", value: id, data: { pick: id } }, avatar(id, title), element("bdi", {}, title))),
  );
  pickerNode.querySelector("ul").replaceChildren(...choices);
  pickerNode.returnValue = "";
  pickerNode.showModal();
  return new Promise((resolve) => {
    pickerNode.addEventListener("close", () => resolve(Number(pickerNode.returnValue) || null), { once: true });
  });
}
