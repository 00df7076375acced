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
