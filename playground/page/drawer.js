// The workshop: the bot's process, the clock, flood limits and faults, and the bot's calls as they come.

import { element, reconcile } from "./dom.js";
import { duration, exact, setAhead } from "./time.js";

const KEPT = 300; // calls
const STATES = { running: "is running", stopping: "is stopping", stopped: "is stopped", died: "has died" };
const STEPS = [["+10 min", 600], ["+1 hour", 3600], ["+1 day", 86400]];
const POLLS = "getUpdates";

const drawer = document.querySelector("#drawer");
const switches = drawer.querySelector("#switches");
const callsNode = drawer.querySelector("#calls ol");
const pollsBox = drawer.querySelector("#show-polls");

export class Drawer {
  #host;
  #calls = new Map();
  #workshop = null;
  #drawn = ""; // what the switches show, so that they are redrawn only when it changes
  #opener = null;

  /** `host` gives `send(message)`, `botName()`, `openChat()` (its id) and `chatTitle(id)`. */
  constructor(host) {
    this.#host = host;
    for (const button of document.querySelectorAll("[data-open-drawer]")) {
      button.addEventListener("click", () => (drawer.hidden ? this.open(button) : this.close()));
    }
    drawer.querySelector("#close-drawer").addEventListener("click", () => this.close());
    drawer.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
    drawer.querySelector("#clear-calls").addEventListener("click", () => {
      this.#calls.clear();
      this.#showCalls();
    });
    pollsBox.addEventListener("change", () => this.#showCalls());
  }

  open(opener) {
    this.#opener = opener;
    drawer.hidden = false;
    document.body.classList.add("with-drawer");
    this.watch();
    drawer.querySelector("#close-drawer").focus();
  }

  close() {
    drawer.hidden = true;
    document.body.classList.remove("with-drawer");
    this.#host.send({ type: "watch", on: false });
    this.#opener?.focus();
  }

  /** Asks for the calls and the switches, if they are shown. */
  watch() {
    if (!drawer.hidden) this.#host.send({ type: "watch" });
  }

  /** Takes in one message of the server; says whether it was one for here alone. */
  apply(event) {
    switch (event.type) {
      case "calls":
        this.#calls = new Map(event.calls.map((call) => [call.number, call]));
        this.#showCalls();
        return true;
      case "call":
        this.#calls.set(event.call.number, event.call);
        if (this.#calls.size > KEPT) this.#calls.delete(this.#calls.keys().next().value);
        this.#showCalls();
        return true;
      case "workshop":
        this.#workshop = event.workshop;
        setAhead(event.workshop.skipped);
        this.#showSwitches();
        return false;
      default:
        return false;
    }
  }

  #showCalls() {
    if (drawer.hidden) return;
    const shown = [...this.#calls.values()].filter(({ method }) => pollsBox.checked || method !== POLLS).reverse();
    reconcile(callsNode, shown.map((call) => ({ key: call.number, call })), () => element("li"), (node, { call }, before) => {
      if (before?.call !== call) this.#showCall(node, call);
    });
  }

  #showCall(node, call) {
    const open = node.querySelector("details")?.open ?? false;
    const { fault, refusal } = call;
    const state = call.milliseconds === null ? "under way" : call.milliseconds < 0.1 ? "< 0.1 ms" : `${call.milliseconds} ms`;
    const lost = call.ok === null && call.milliseconds !== null && call.method !== POLLS;
    node.classList.toggle("refused", Boolean(refusal) || lost);
    const summary = element("summary", {},
      element("span", { class: "method" }, call.method),
      element("span", { class: "took" }, state),
      element("span", { class: "where" }, this.#words(call)),
      refusal ? element("span", { class: "refusal" }, `${refusal.error_code}: ${refusal.description}`) : null,
      lost && !refusal ? element("span", { class: "refusal" }, "The connection broke before it took effect.") : null,
      fault ? element("span", { class: "fault" }, `fault: ${fault}`) : null);
    const details = element("details", { open },
      summary,
      element("p", { class: "muted" }, exact(call.time)),
      ...block("Parameters", readable(call.parameters)),
      ...(refusal ? block("Refusal", refusal) : call.ok ? block("Result", call.result) : []));
    node.replaceChildren(details);
  }

  #words({ parameters, chat_id: chat }) {
    const text = parameters.text ?? parameters.action ?? "";
    return [chat === null ? "" : this.#host.chatTitle(chat), String(text).split("\n")[0].slice(0, 80)].filter(Boolean).join(" · ");
  }

  #showSwitches() {
    const { bot, flood, skipped, troubles } = this.#workshop;
    const drawn = JSON.stringify([bot, flood, skipped, troubles]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = document.activeElement?.dataset.focus;
    const folded = switches.querySelector("details");
    const on = troubles.filter((trouble) => trouble.on).length + (flood[0].on ? 0 : 1);
    switches.replaceChildren(
      this.#bot(bot),
      this.#clock(skipped, bot !== null),
      element("details", { open: folded?.open ?? false },
        element("summary", { data: { focus: "limits" } }, "Limits and faults", element("span", { class: "muted" }, on ? ` · ${on} on` : " · none on")),
        element("fieldset", {}, element("legend", {}, "Flood limits"), ...flood.map((model) => this.#choice("radio", "flood", model))),
        element("fieldset", {}, element("legend", {}, "Faults"), ...troubles.map((trouble) => this.#choice("checkbox", "trouble", trouble)))));
    if (focused) switches.querySelector(`[data-focus="${focused}"]`)?.focus();
  }

  #bot(state) {
    const name = this.#host.botName();
    if (state === null) return group("Bot", element("p", { class: "muted" }, `${name} was started elsewhere; stop it there.`));
    const order = (what, words, possible) => this.#button(words, what, { type: "order", what }, !possible);
    return group(`${name} ${STATES[state]}`,
      order("stop", "Stop", state === "running"), order("kill", "Kill", state !== "stopped"), order("start", "Start", state === "stopped"));
  }

  #clock(skipped, withBot) {
    return group(skipped ? `The clock is ${duration(skipped)} ahead` : "The clock is right",
      ...STEPS.map(([words, seconds]) => this.#button(words, `clock-${seconds}`, { type: "advance", seconds })),
      element("p", { class: "muted" }, withBot
        ? "What becomes due, such as a reminder, comes within seconds."
        : "This moves Telegram alone: a bot that you run yourself keeps its own time."));
  }

  #button(words, name, message, disabled = false) {
    const node = element("button", { type: "button", class: "chip", disabled, data: { focus: name } }, words);
    node.addEventListener("click", () => this.#host.send(message));
    return node;
  }

  #choice(type, message, { name, title, on }) {
    const input = element("input", { type, name: message, checked: on, data: { focus: `${message}-${name}` } });
    input.addEventListener("change", () => this.#host.send({ type: message, name, on: input.checked, chat_id: this.#host.openChat() }));
    return element("label", { class: "choice" }, input, title);
  }
}

function group(title, ...nodes) {
  return element("div", { class: "switch", role: "group", "aria-label": title }, element("p", {}, title), ...nodes);
}

const block = (title, value) => [element("p", { class: "muted" }, title), element("pre", { tabindex: "0", "aria-label": title }, JSON.stringify(value, null, 2))];

// Forms carry objects as text, which reads better as what it is.
function readable(parameters) {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => {
    if (typeof value !== "string" || !/^[[{]/.test(value)) return [name, value];
    try {
      return [name, JSON.parse(value)];
    } catch {
      return [name, value];
    }
  }));
}
