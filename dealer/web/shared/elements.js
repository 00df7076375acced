// The elements of the page, by their ids.

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
