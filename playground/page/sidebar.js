// The left side: whom one acts as, and that person's chats.

import { avatar, element, reconcile } from "./dom.js";
import { plain } from "./entities.js";
import { clock, day } from "./time.js";

const peopleNode = document.querySelector("#people > div");
const chatsNode = document.querySelector("#chats");

/** Shows the people, with the acting one pressed. */
export function showPeople(store, acting, choose) {
  const items = store.people.map(({ id }) => {
    const unread = store.chatsOf(id).reduce((sum, chat) => sum + store.unread(chat.id, id), 0);
    return { key: id, name: store.name(id), unread };
  });
  reconcile(peopleNode, items, ({ key }) => {
    const node = element("button", { type: "button", class: "person", data: { personId: key } });
    node.addEventListener("click", () => choose(key));
    return node;
  }, (node, { key, name, unread }, before) => {
    node.setAttribute("aria-pressed", String(key === acting));
    if (before?.name === name && before.unread === unread) return;
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
  const title = store.title(chat);
  const last = store.messages(chat.id).at(-1);
  const unread = store.unread(chat.id, acting);
  const group = chat.type !== "private";
  return [
    avatar(group ? chat.id : store.bot.id, title),
    element("span", { class: "title" }, element("bdi", {}, title)),
    last ? element("time", { datetime: new Date(1000 * last.date).toISOString() }, when(last.date)) : null,
    element("span", { class: "preview", dir: "auto" }, ...preview(store, acting, last, group)),
    ...badge(unread),
  ].filter(Boolean);
}

const badge = (unread) =>
  unread ? [element("span", { class: "badge", role: "img", "aria-label": `${unread} new` }, String(unread))] : [];

function preview(store, acting, last, group) {
  if (!last) return [group ? "No messages yet" : "Press Start to begin"];
  if (last.service) return [last.service];
  const author = last.from?.id === acting ? "You: " : group && last.from ? `${last.from.first_name}: ` : "";
  return [author ? element("span", { class: "author" }, author) : null, ...plain(last.text.slice(0, 200))].filter(Boolean);
}

const when = (seconds) => (day(seconds) === day(Date.now() / 1000) ? clock(seconds) : day(seconds, "short"));
