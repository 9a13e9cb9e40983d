// Building and updating elements. Foreign text only ever becomes text nodes and attributes, never markup.

/** An element; `data` fills its dataset, `undefined` and `false` attributes are left out, children may be strings. */
export function element(tag, { data = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const [name, value] of Object.entries(data)) if (value !== undefined) node.dataset[name] = value;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A decorative icon, drawn by theme.css. */
export const icon = (name) => element("span", { class: `icon icon-${name}`, "aria-hidden": "true" });

/** The round picture of a person, a chat or the bot: initials on a colour that its id chooses. */
export function avatar(id, name) {
  const initials = [...name.matchAll(/(?:^|\s)([\p{L}\p{N}])/gu)].map((match) => match[1]);
  const letters = (initials.length > 1 ? initials[0] + initials.at(-1) : initials[0] ?? "•").toUpperCase();
  return element("span", { class: `avatar ${hue(id)}`, "aria-hidden": "true" }, letters);
}

/** The class that colours a name or a picture. */
export const hue = (id) => `hue-${Math.abs(id) % 7}`;

const shown = new WeakMap();

/**
 * Makes the children of `container` show `items`, keeping the node of each `item.key`.
 *
 * Nodes stay because a node that is replaced between press and release swallows the click, and loses the focus.
 * `create(item)` gives a node, `update(node, item, before)` refreshes it (`before` is undefined for a new one).
 */
export function reconcile(container, items, create, update) {
  const wanted = new Set(items.map((item) => item.key));
  const known = new Map();
  for (const node of [...container.children]) {
    const { key } = shown.get(node);
    if (wanted.has(key)) known.set(key, node);
    else node.remove();
  }
  let place = container.firstElementChild;
  for (const item of items) {
    const node = known.get(item.key) ?? create(item);
    update(node, item, shown.get(node));
    shown.set(node, item);
    if (node === place) place = place.nextElementSibling;
    else container.insertBefore(node, place);
  }
}
