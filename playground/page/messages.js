// The messages of the open chat and how each looks.

import { avatar, element, hue, icon, reconcile } from "./dom.js";
import { formatted, plain } from "./entities.js";
import { showKeyboard } from "./keyboard.js";
import { words } from "./store.js";
import { clock, day } from "./time.js";

const NEAR = 60; // pixels from the bottom that still count as being there
const RUN = 600; // seconds within which messages of one sender stand together

const view = document.querySelector("#view");
const list = document.querySelector("#messages");
const empty = document.querySelector("#empty");
const down = document.querySelector("#down");

let place = ""; // which chat, person and topic the list shows
let newest = 0; // the id of the newest message that was seen at the bottom

/** Whether the newest message is in view. */
export const atBottom = () => view.scrollHeight - view.scrollTop - view.clientHeight < NEAR;

/** Scrolls to the newest message. */
export function toBottom() {
  view.scrollTop = view.scrollHeight;
}

/** Forgets what is shown, as the server's state may be another one now. */
export function forgetMessages() {
  place = "";
}

/** Shows the messages of a chat as a person sees them; `topic` null shows all topics, 0 the general one. */
export function showMessages(store, { chat, person, topic }) {
  const here = [chat.id, person.id, topic].join();
  const moved = here !== place;
  list.lang = empty.lang = person.language_code ?? ""; // Chinese and Japanese share characters, but not their shapes
  if (moved) list.replaceChildren(); // sides, names and buttons under way belong to another person or chat
  const stay = moved || atBottom();
  const messages = store.messages(chat.id).filter((message) => topic === null || (message.message_thread_id ?? 0) === topic);
  const lastKnown = moved ? 0 : newest;
  reconcile(list, withDays(store, chat, messages), create, (node, item, before) => update(store, chat, person, node, item, before));

  const last = messages.at(-1);
  const own = last && last.message_id > lastKnown && last.from?.id === person.id;
  place = here;
  empty.hidden = messages.length > 0;
  const withBot = chat.person === person.id;
  empty.firstElementChild.textContent = (withBot && store.description("description", person)) || "No messages yet.";
  if (stay || own) toBottom();
  showDown(messages);
}

function showDown(messages) {
  if (atBottom()) newest = messages.at(-1)?.message_id ?? 0;
  const below = messages.filter((message) => message.message_id > newest).length;
  down.hidden = atBottom();
  down.querySelector(".count").textContent = below || "";
}

// A message and the days between; `first` and `last` of a run of one sender's messages.
function withDays(store, chat, messages) {
  const items = [];
  messages.forEach((message, index) => {
    const [before, after] = [messages[index - 1], messages[index + 1]];
    if (!before || day(before.date) !== day(message.date)) {
      items.push({ key: `before ${message.message_id}`, day: day(message.date) });
    }
    const first = !together(before, message);
    const topic = chat.is_forum && message.message_thread_id ? store.topicName(chat, message.message_thread_id) : "";
    items.push({ key: message.message_id, message, first, last: !together(message, after), topic });
  });
  return items;
}

function together(one, next) {
  return Boolean(one && next) && !one.service && !next.service && one.from?.id === next.from?.id
    && next.date - one.date < RUN && day(one.date) === day(next.date);
}

function create(item) {
  if (item.day) return element("div", { class: "day" });
  return element("article", { class: "message", data: { messageId: item.message.message_id } });
}

function update(store, chat, person, node, item, before) {
  if (item.day) {
    if (item.day !== before?.day) node.replaceChildren(element("span", {}, item.day));
    return;
  }
  const { message, first, last, topic } = item;
  if (message.service) {
    node.classList.add("service");
    node.replaceChildren(element("span", { dir: "auto" }, message.service));
    return;
  }
  const out = message.from?.id === person.id;
  node.classList.toggle("out", out);
  node.classList.toggle("first", first);
  node.classList.toggle("last", last);
  if (before?.message === message && before.first === first && before.topic === item.topic) return;
  if (!before) build(node, chat, out, message);
  const bubble = node.querySelector(".bubble");
  bubble.replaceChildren(...content(store, chat, message, { out, first, topic }));
  keyboard(node.querySelector(".column"), message.reply_markup?.inline_keyboard ?? []);
}

function build(node, chat, out, message) {
  if (chat.type !== "private" && !out && message.from) node.append(avatar(message.from.id, message.from.first_name));
  const reply = element("button", { type: "button", class: "act round", "aria-label": "Reply", data: { reply: "" } }, icon("reply"));
  node.append(element("div", { class: "column" }, element("div", { class: "bubble" })), reply);
}

function content(store, chat, message, { out, first, topic }) {
  const group = chat.type !== "private";
  const named = group && !out && first && message.from;
  const header = named || message.via_bot
    ? element("header", {},
      named ? element("bdi", { class: `name ${hue(message.from.id)}` }, message.from.first_name) : null,
      message.via_bot ? element("span", { class: "via" }, ` via @${message.via_bot.username}`) : null)
    : null;
  const thread = topic ? element("button", { type: "button", class: "topic", data: { topic: message.message_thread_id } }, topic) : null;
  const edited = message.edit_date ? element("span", { title: `at ${clock(message.edit_date)}` }, "edited ") : null;
  const time = element("time", { datetime: new Date(1000 * message.date).toISOString() }, clock(message.date));
  return [
    header,
    thread,
    message.reply_to_message ? quote(store, message) : null,
    attachment(message),
    element("div", { dir: direction(words(message)) },
      element("div", { class: "text" }, ...formatted(words(message), message.entities ?? message.caption_entities)),
      element("span", { class: "meta" }, edited, time)),
  ].filter(Boolean);
}

/** The direction of a text by its first strong character outside of isolates (UAX #9, P2), which dir="auto" counts. */
function direction(text) {
  const outside = text.replace(/[\u2066-\u2068][^\u2069]*\u2069/g, "");
  const strong = outside.match(/[\u200e\u200f\p{L}]/u)?.[0] ?? "";
  return /[\u200f\p{Script=Arabic}\p{Script=Hebrew}]/u.test(strong) ? "rtl" : "ltr";
}

// A photo, an animation or a document; an animation is said to be a document as well.
function attachment(message) {
  const { photo, animation, document } = message;
  const picture = photo?.at(-1) ?? animation;
  if (picture) return element("img", { class: "photo", src: address(picture), alt: words(message) || (photo ? "Photo" : "Animation") });
  if (!document) return null;
  const size = `${Math.max(1, Math.round(document.file_size / 1024))} KB`;
  return element("a", { class: "file", href: address(document), download: document.file_name }, `📄 ${document.file_name}, ${size}`);
}

const address = (file) => `/page/sent/${file.file_id}`;

function quote(store, message) {
  const { message_id: id } = message.reply_to_message;
  if (message.is_topic_message && id === message.message_thread_id) return null; // all that is said in a topic replies to its beginning
  const original = store.message(message.chat.id, id);
  if (!original) return element("div", { class: "quote gone" }, "Deleted message");
  const author = original.from?.first_name ?? "";
  return element("button", { type: "button", class: `quote ${hue(original.from?.id ?? 0)}`, data: { quote: original.message_id } },
    element("strong", {}, element("bdi", {}, author)),
    element("span", { dir: "auto" }, ...plain(words(original).slice(0, 200))));
}

function keyboard(column, rows) {
  let node = column.querySelector(".keyboard");
  if (rows.length === 0) {
    node?.remove();
    return;
  }
  if (!node) {
    node = element("div", { class: "keyboard", role: "group", "aria-label": "Buttons" });
    column.append(node);
  }
  showKeyboard(node, rows);
}

/** Brings a message into view and lets it stand out for a moment. */
function pointOut(messageId) {
  const node = list.querySelector(`[data-message-id="${messageId}"]`);
  if (!node) return;
  node.scrollIntoView({ block: "center" });
  node.classList.remove("pointed");
  void node.offsetWidth; // so that the animation restarts
  node.classList.add("pointed");
}

/**
 * Calls the handlers for what is clicked in the list: `button(messageId, row, column, node)`, `reply(messageId)`,
 * `topic(id)`, `command(text)`, `mention(username)` and `url(address)`.
 */
export function onClicks(handlers) {
  list.addEventListener("click", (event) => {
    const node = event.target.closest("button, a");
    if (!node) return;
    const messageId = Number(node.closest("[data-message-id]").dataset.messageId);
    const { row, column, reply, quote: quoted, topic, command, mention, url } = node.dataset;
    if (row !== undefined) handlers.button(messageId, Number(row), Number(column), node);
    else if (reply !== undefined) handlers.reply(messageId);
    else if (quoted !== undefined) pointOut(quoted);
    else if (topic !== undefined) handlers.topic(Number(topic));
    else if (command !== undefined) handlers.command(command);
    else if (mention !== undefined) handlers.mention(mention);
    else if (url !== undefined) {
      event.preventDefault();
      handlers.url(url);
    }
  });
}

/** Keeps the button to the newest messages up to date while one scrolls; `onBottom` is called on arrival. */
export function onScroll(onBottom) {
  let bottom = true;
  view.addEventListener("scroll", () => {
    const now = atBottom();
    down.hidden = now;
    if (now) newest = Math.max(newest, Number(list.querySelector("article:last-of-type")?.dataset.messageId ?? 0));
    if (now && !bottom) onBottom();
    bottom = now;
  }, { passive: true });
  down.addEventListener("click", toBottom);
  // A composer that grows, a phone's keyboard, or a picture that has loaded must not hide the newest message.
  let [height, whole] = [view.clientHeight, view.scrollHeight];
  const observer = new ResizeObserver(() => {
    const before = whole - view.scrollTop - height;
    [height, whole] = [view.clientHeight, view.scrollHeight];
    if (before < NEAR) toBottom();
  });
  for (const each of [view, list]) observer.observe(each);
}
