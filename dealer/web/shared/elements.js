// The elements of the page: by their ids, and new ones.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with this id, of this kind: `byId("menu", HTMLDialogElement)`.
 *
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @param {{ new (): E, prototype: E }} [kind] any HTML element by default
 * @returns {E}
 * @throws {TypeError} if index.html has no such element
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new TypeError(`index.html has no such #${id}`);
  return /** @type {E} */ (found);
}

/**
 * A new element: `made("td", { class: "wide" }, "5")`.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function made(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * A row of a list of facts, a `<dl>`.
 *
 * @param {Node | string} name
 * @param {string} value
 */
export function fact(name, value) {
  return made("div", {}, made("dt", {}, name), made("dd", {}, value));
}

/**
 * A new element of a drawing: `drawn("circle", { r: 5 })`.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * A new button that does something when it is pressed.
 *
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function pressable(text, act, attributes = {}) {
  const button = made("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", act);
  return button;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** @typedef {Record<string, string | number | boolean | null>} Attributes false and null: without this one */

/**
 * Set the text of the element with this id, if it differs.
 *
 * @param {string} id
 * @param {string} text
 */
export function write(id, text) {
  setText(byId(id), text);
}

/**
 * Set the text of an element, if it differs: screen readers read out what is set, even if nothing changes.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Bring the current row of a list into view. Only the list is scrolled: the page stays where it is.
 *
 * @param {HTMLElement} box
 */
export function uncover(box) {
  const row = box.querySelector("[aria-current]");
  if (!(row instanceof HTMLElement)) return;
  const hidden = Math.max(0, row.offsetTop + row.offsetHeight - box.clientHeight);
  box.scrollTop = Math.max(hidden, Math.min(box.scrollTop, row.offsetTop - 2 * row.offsetHeight));
}
