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

// A link to a round plays it. Where no script runs, it leads to the steps of the round as a list.
const viewer = document.getElementById("viewer");
if (viewer !== null) {
  const lines = document.getElementById("rounds").textContent.trim().split("\n");
  document.getElementById("steps").hidden = true;
  const open = () => {
    viewer.hidden = !location.hash.startsWith("#round=");
  };
  addEventListener("hashchange", open);
  open();
  followLinks(viewer, lines.map((line) => JSON.parse(line)));
}
