// Writing: the text field, replies, and the list over it that offers commands, people or inline results.

import { element } from "./dom.js";
import { plain } from "./entities.js";
import { words } from "./store.js";

const INLINE_PAUSE = 250; // milliseconds without typing before the bot is asked for inline results

const form = document.querySelector("#compose");
const field = document.querySelector("#composer");
const panel = document.querySelector("#suggestions");
const replying = document.querySelector("#replying");

/**
 * The composer. It asks `host` for the world: `bot()`, `commands()` and `people()` of this chat, `inGroup()`,
 * `send(text, replyTo, mentions)` (false when it could not leave), `askInline(text)` (gives a tag), and
 * `chooseInline(resultId, tag)`.
 */
export class Composer {
  #host;
  #items = [];
  #active = 0;
  #dismissed = false; // Escape closes the list until the text changes
  #replyTo = null;
  #drafts = new Map();
  #named = []; // people without a username who were named: {name, id}, in the order they were chosen
  #place = "";
  #inline = { text: null, tag: null, results: null, timer: 0 };

  constructor(host) {
    this.#host = host;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    field.addEventListener("input", () => this.#changed());
    field.addEventListener("keydown", (event) => this.#key(event));
    panel.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    panel.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      this.#items[[...panel.children].indexOf(option)]?.choose();
    });
    replying.querySelector("button").addEventListener("click", () => this.reply(null));
    document.querySelector("#commands").addEventListener("click", () => {
      const closing = field.value === "/" && !panel.hidden;
      this.fill(closing ? "" : "/");
    });
  }

  /** Turns to another chat or person; what was written stays with the old one. */
  moveTo(place) {
    if (place === this.#place) return;
    this.#drafts.set(this.#place, field.value);
    this.#place = place;
    field.value = this.#drafts.get(place) ?? "";
    this.reply(null);
    this.#changed();
  }

  /** Puts a text in the field, ready to be completed. */
  fill(text) {
    field.value = text;
    field.focus();
    this.#changed();
  }

  /** Answers a message from now on, or with null none. */
  reply(message) {
    this.#replyTo = message;
    replying.hidden = !message;
    if (!message) return;
    replying.querySelector("bdi").textContent = message.from?.first_name ?? "";
    replying.querySelector("span[dir]").replaceChildren(...plain(words(message).slice(0, 200)));
    field.focus();
  }

  /** Shows the results of an inline query, unless another has been asked since. */
  showResults(tag, results) {
    if (tag !== this.#inline.tag) return;
    this.#inline.results = results;
    this.#suggest();
  }

  /** Looks again which commands there are. */
  refresh() {
    this.#suggest();
  }

  #submit() {
    const text = field.value.trim();
    if (text) this.#say(text);
  }

  #clear() {
    field.value = "";
    this.#named = [];
    this.#changed();
  }

  #changed() {
    this.#dismissed = false;
    this.#active = 0;
    field.style.height = "auto";
    if (field.value) field.style.height = `${field.scrollHeight}px`; // empty, it may be hidden and have no height
    form.classList.toggle("filled", field.value.trim() !== "");
    this.#inlineQuery();
    this.#suggest();
  }

  #inlineQuery() {
    const match = /^@(\w+)\s(.*)$/s.exec(field.value);
    const text = match && match[1].toLowerCase() === this.#host.bot()?.username.toLowerCase() ? match[2] : null;
    if (text === this.#inline.text) return;
    clearTimeout(this.#inline.timer);
    this.#inline = { text, tag: null, results: null, timer: 0 };
    if (text === null) return;
    this.#inline.timer = setTimeout(() => {
      this.#inline.tag = this.#host.askInline(text);
    }, INLINE_PAUSE);
  }

  #suggest() {
    if (this.#dismissed) this.#items = [];
    else if (this.#inline.text !== null) this.#items = this.#inlineItems();
    else this.#items = [...this.#commandItems(), ...this.#peopleItems()];
    const waiting = this.#inline.text !== null && !this.#dismissed && this.#items.length === 0;
    const note = this.#inline.results ? "No results" : "Asking the bot…";
    this.#active = Math.min(this.#active, Math.max(0, this.#items.length - 1));
    panel.hidden = this.#items.length === 0 && !waiting;
    panel.replaceChildren(...(waiting ? [element("p", { role: "option", "aria-disabled": "true" }, note)] : this.#items.map(option)));
    panel.scrollTop = 0;
    this.#mark();
  }

  #commandItems() {
    const match = /^\/(\w*)$/.exec(field.value);
    if (!match) return [];
    // In a group a bot may see only the commands that name it, so a chosen one does, as in Telegram's clients.
    const suffix = this.#host.inGroup() ? `@${this.#host.bot().username}` : "";
    return this.#host.commands()
      .filter(({ command }) => command.startsWith(match[1].toLowerCase()))
      .map(({ command, description }) => ({
        id: `command-${command}`,
        data: { command },
        title: `/${command}`,
        description,
        // A command typed to its end is sent as typed.
        choose: () => this.#say(field.value === `/${command}` ? field.value : `/${command}${suffix}`),
        complete: () => this.fill(`/${command}${suffix} `),
      }));
  }

  #inlineItems() {
    const { tag, results } = this.#inline;
    return (results ?? []).map(({ id, title, description }, index) => {
      const choose = () => {
        if (this.#host.chooseInline(id, tag)) this.#clear();
      };
      return { id: `result-${index}`, data: { resultId: id }, title, description, choose, complete: choose };
    });
  }

  // The bot and the people here, while a name is written after an "@".
  #peopleItems() {
    const match = /(?:^|\s)@(\w*)$/.exec(field.value.slice(0, field.selectionStart));
    if (!match) return [];
    const start = field.selectionStart - match[1].length - 1;
    const written = match[1].toLowerCase();
    return this.#host.people()
      .filter(({ username }) => username.toLowerCase() !== written || !username)
      .filter(({ name, username }) => username.toLowerCase().startsWith(written) || name.toLowerCase().startsWith(written))
      .map(({ id, name, username }) => {
        const complete = () => this.#name(start, id, name, username);
        return { id: `person-${id}`, data: { name: id }, title: name, description: username ? `@${username}` : "no username", choose: complete, complete };
      });
  }

  #name(start, id, name, username) {
    const [before, after] = [field.value.slice(0, start), field.value.slice(field.selectionStart)];
    const words = `${username ? `@${username}` : name} `;
    if (!username) this.#named.push({ id, name });
    field.value = before + words + after;
    field.focus();
    field.setSelectionRange(start + words.length, start + words.length);
    this.#changed();
  }

  // Where the named people stand in what is sent; who was named twice stands there twice.
  #mentions(text) {
    let from = 0;
    return this.#named.flatMap(({ id, name }) => {
      const offset = text.indexOf(name, from);
      if (offset < 0) return [];
      from = offset + name.length;
      return [{ offset, length: name.length, user: id }];
    });
  }

  #say(text) {
    if (this.#host.send(text, this.#replyTo, this.#mentions(text))) {
      this.#clear();
      this.reply(null);
    }
  }

  #mark() {
    [...panel.querySelectorAll("[role=option]")].forEach((node, index) => {
      node.setAttribute("aria-selected", String(index === this.#active));
      if (index === this.#active) node.scrollIntoView({ block: "nearest" });
    });
    const active = this.#items[this.#active];
    if (active) field.setAttribute("aria-activedescendant", active.id);
    else field.removeAttribute("aria-activedescendant");
  }

  #key(event) {
    if (event.isComposing) return; // Enter there chooses a Chinese character
    const { key } = event;
    const item = this.#items[this.#active];
    if (item && (key === "ArrowDown" || key === "ArrowUp")) {
      const step = key === "ArrowDown" ? 1 : -1;
      this.#active = (this.#active + step + this.#items.length) % this.#items.length;
      this.#mark();
    } else if (item && key === "Tab" && !event.shiftKey) item.complete();
    else if (key === "Enter" && !event.shiftKey) {
      if (item) item.choose();
      else if (this.#inline.text === null || this.#dismissed) this.#submit();
    } else if (key === "Escape" && !panel.hidden) {
      this.#dismissed = true;
      this.#suggest();
    } else if (key === "Escape" && this.#replyTo) this.reply(null);
    else return;
    event.preventDefault();
  }
}

function option({ id, data, title, description }) {
  return element("div", { role: "option", id, data },
    element("strong", {}, element("bdi", {}, ...plain(title))),
    description ? element("span", { dir: "auto" }, ...plain(description)) : null);
}
