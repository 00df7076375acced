// The numbers of a pair below its table, for the pointer and for the arrow keys.
for (const table of document.querySelectorAll("table.cross")) {
  const told = document.getElementById(table.dataset.told);
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const cells = rows.flat();
  const tell = (cell) => {
    told.textContent = cell.querySelector(".unseen")?.textContent ?? "";
  };
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  for (const cell of cells) {
    cell.tabIndex = -1;
    cell.addEventListener("pointerenter", () => tell(cell));
    cell.addEventListener("focus", () => tell(cell));
  }
  rows[0][1].tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    const row = rows.findIndex((each) => each.includes(event.target));
    if (step === undefined || row < 0) return;
    const next = rows[row + step[0]]?.[rows[row].indexOf(event.target) + step[1]];
    event.preventDefault();
    if (next === undefined) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

// A link to a round opens it, also where the browser does not open what is folded.
const show = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest("details");
  if (folded === null || folded === undefined) return;
  folded.open = true;
  target.scrollIntoView();
  folded.querySelector("summary").focus({ preventScroll: true });
};
addEventListener("hashchange", show);
show();
