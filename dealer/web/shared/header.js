// The header of a page: it folds into one button where its links do not fit beside each other in one row.

/** The header of this page. */
export function startHeader() {
  const header = document.querySelector("header");
  const nav = header?.querySelector("nav");
  const button = header?.querySelector(".fold");
  if (!header || !nav || !(button instanceof HTMLElement)) return;
  // Only its width is looked at, which no folding changes; a link that comes or goes asks for another look.
  const observer = new ResizeObserver(() => fit(header, nav));
  observer.observe(header);
  new MutationObserver(() => {
    observer.unobserve(header);
    observer.observe(header);
  }).observe(nav, { attributeFilter: ["hidden"], subtree: true });
  button.addEventListener("click", () => open(header, header.dataset.open === undefined));
  header.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || header.dataset.open === undefined) return;
    open(header, false);
    button.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  // Before the click acts: a dialog that it opens gives the focus back to the button that is still to be seen.
  const onPress = () => {
    if (header.dataset.open !== undefined) button.focus();
    open(header, false);
  };
  nav.addEventListener("click", onPress, true);
  document.addEventListener("focusin", ({ target }) => closeOutside(header, target));
  document.addEventListener("pointerdown", ({ target }) => closeOutside(header, target));
}

/** @param {HTMLElement} header @param {HTMLElement} nav */
function fit(header, nav) {
  header.dataset.folded = "false";
  const isTooWide = nav.scrollWidth > nav.clientWidth || header.scrollWidth > header.clientWidth;
  header.dataset.folded = String(isTooWide);
  if (!isTooWide) open(header, false);
}

/** @param {HTMLElement} header @param {EventTarget | null} target */
function closeOutside(header, target) {
  if (target instanceof Node && !header.contains(target)) open(header, false);
}

/** @param {HTMLElement} header @param {boolean} isOpen */
function open(header, isOpen) {
  if (isOpen) header.dataset.open = "";
  else delete header.dataset.open;
  header.querySelector(".fold")?.setAttribute("aria-expanded", String(isOpen));
}
