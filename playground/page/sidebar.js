// The left side: the person you are, and that person's chats.

import { avatar, element, icon, reconcile } from "./dom.js";
import { plain } from "./entities.js";
import { words } from "./store.js";
import { clock, day, now } from "./time.js";

const peopleNode = document.querySelector("#people > div");
const me = document.querySelector("#me");
const chatsNode = document.querySelector("#chats");

/** Shows the people, with the acting one pressed; `add` is for one more. */
export function showPeople(store, acting, choose, add) {
  const items = store.people.map(({ id }) => {
    const unread = store.chatsOf(id).reduce((sum, chat) => sum + store.unread(chat.id, id), 0);
    return { key: id, name: store.name(id), unread };
  });
  me.replaceChildren(element("bdi", {}, store.name(acting)), ` ${store.username(acting)}`);
  reconcile(peopleNode, [...items, { key: "add" }], ({ key }) => {
    if (key === "add") {
      const node = element("button", { type: "button", class: "person add" }, element("span", { class: "avatar" }, icon("plus")), "Add");
      node.addEventListener("click", add);
      return node;
    }
    const node = element("button", { type: "button", class: "person", data: { personId: key } });
    node.addEventListener("click", () => choose(key));
    return node;
  }, (node, { key, name, unread }, before) => {
    if (key === "add") return;
    const chosen = node.getAttribute("aria-pressed") === "true";
    node.setAttribute("aria-pressed", String(key === acting));
    if (key === acting && !chosen) node.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (before?.name === name && before.unread === unread) return;
    node.title = name;
    node.replaceChildren(avatar(key, name), element("bdi", {}, name), ...badge(unread));
  });
}

/** Shows the acting person's chats with their last messages. */
export function showChats(store, acting, open, choose) {
  const items = store.chatsOf(acting).map((chat) => ({ key: chat.id, chat }));
  reconcile(chatsNode, items, ({ key }) => {
    const button = element("button", { type: "button", class: "item", data: { chatId: key } });
    button.addEventListener("click", () => choose(key));
    return element("li", {}, button);
  }, (node, { key, chat }) => {
    const button = node.firstElementChild;
    if (key === open) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    button.replaceChildren(...row(store, acting, chat));
  });
}

function row(store, acting, chat) {
  const title = store.title(chat, acting);
  const last = store.messages(chat.id).at(-1);
  const unread = store.unread(chat.id, acting);
  const group = chat.type !== "private";
  return [
    avatar(store.face(chat, acting), title),
    element("span", { class: "title" }, element("bdi", {}, title)),
    last ? element("time", { datetime: new Date(1000 * last.date).toISOString() }, when(last.date)) : null,
    element("span", { class: "preview", dir: "auto" }, ...preview(store, acting, chat, last)),
    ...badge(unread),
  ].filter(Boolean);
}

const badge = (unread) =>
  unread ? [element("span", { class: "badge", role: "img", "aria-label": `${unread} new` }, String(unread))] : [];

function preview(store, acting, chat, last) {
  const group = chat.type !== "private";
  if (!last) return [chat.person === acting ? "Press Start" : "No messages yet"];
  if (last.service) return [last.service];
  const author = last.from?.id === acting ? "You: " : group && last.from ? `${last.from.first_name}: ` : "";
  return [author ? element("span", { class: "author" }, author) : null, ...plain(words(last).slice(0, 200))].filter(Boolean);
}

const when = (seconds) => (day(seconds) === day(now()) ? clock(seconds) : day(seconds, "short"));
