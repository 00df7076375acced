// The game comes from the engine, with the cells that each marble falls into: no rule is known here.

const game = JSON.parse(document.getElementById("game").textContent);
const one = (id) => document.getElementById(id);

const H = game.holes;
const CELLS = 2 * H + 2;

// Milliseconds between two marbles, and on a board before the next move.
const DROP_EVERY = 300;
const REST = 1000;

// The picture, in units of its own: a column for each hole and each store, a band for the numbers above and
// below, and one in the middle for the hand.
const COLUMN = 100;
const LABEL = 42;
const HAND = 40;
const UPPER = LABEL + COLUMN / 2;
const LOWER = UPPER + COLUMN + HAND;
const HEIGHT = LOWER + COLUMN / 2 + LABEL;
const MIDDLE = HEIGHT / 2;
const PIT = 42;

// The most marbles that are drawn: more could not be told apart, and the number beside them counts them all.
const MOST_IN_HOLE = 19;
const MOST_IN_STORE = 65;
const MOST_IN_HAND = Math.min(12, Math.floor((COLUMN * H - 12) / 15)); // it stays between the stores

const COLOURS = ["#f0cf7a", "#e8594f", "#6fb7ee", "#fffdf6", "#8fd36a"];

// Frames: the boards of the game, and between them one picture for each marble that falls.

function framesOf(steps) {
  let numbered = 0;
  const more = (wanted) => Array.from({ length: Math.max(0, wanted) }, () => numbered++);
  let frame = {
    board: 0,
    isBoard: true,
    marbles: steps[0].cells.map(more),
    counts: steps[0].cells,
    hand: [],
    changed: [],
  };
  const frames = [frame];
  steps.slice(1).forEach((step, before) => {
    for (const sowing of step.sowings) {
      frame = pickedUp(frame, sowing.hole, before);
      frames.push(frame);
      for (const cell of sowing.cells) {
        frame = dropped(frame, cell);
        frames.push(frame);
      }
    }
    if (step.cells.every((count, cell) => count === frame.counts[cell])) frames.pop();
    frame = settled(frame, step, before + 1, more);
    frames.push(frame);
  });
  return { frames, made: numbered };
}

function pickedUp(frame, hole, board) {
  const marbles = frame.marbles.with(hole, []);
  const counts = frame.counts.with(hole, 0);
  return {
    board,
    isBoard: false,
    marbles,
    counts,
    hand: frame.marbles[hole],
    at: hole,
    from: hole,
    changed: [hole],
  };
}

function dropped(frame, cell) {
  const [marble, ...hand] = frame.hand;
  const marbles = frame.marbles.with(cell, [...frame.marbles[cell], marble]);
  const counts = frame.counts.with(cell, frame.counts[cell] + 1);
  return { ...frame, marbles, counts, hand, at: cell, changed: [cell] };
}

// The board after a move: what captures and sweeps moved goes from the cells that lost it to those that won it.
function settled(frame, step, board, more) {
  const wanted = step.cells.map((count) => Math.max(0, count));
  const loose = frame.marbles.flatMap((held, cell) => held.slice(wanted[cell]));
  const marbles = frame.marbles.map((held, cell) => held.slice(0, wanted[cell]));
  wanted.forEach((count, cell) => {
    const lacking = count - marbles[cell].length;
    const found = loose.splice(0, lacking);
    marbles[cell] = [...marbles[cell], ...found, ...more(lacking - found.length)];
  });
  return { board, isBoard: true, marbles, counts: step.cells, hand: [], changed: step.changed };
}

// Whether some cell holds more marbles than are drawn in it; the hand says its number in a sentence.
function hasUndrawn(frame) {
  return frame.counts.some((count, cell) => count > (isStore(cell) ? MOST_IN_STORE : MOST_IN_HOLE));
}

// Places

const isStore = (cell) => cell % (H + 1) === H;
const columnOf = (cell) => (cell <= H ? cell + 1 : CELLS - 1 - cell);
const middleOf = (cell) => COLUMN * (columnOf(cell) + 0.5);
const isUpper = (cell) => cell > H;
const heightOf = (cell) => (isStore(cell) ? MIDDLE : isUpper(cell) ? UPPER : LOWER);

// How many marbles lie on each ring of a hole, from the inside, with the ring's radius.
function ringsOf(count, size) {
  const outer = PIT - size - 3;
  if (count === 1) return [[1, 0]];
  if (count <= 6) return [[count, Math.min(outer, (1.25 * size) / Math.sin(Math.PI / count))]];
  if (count <= 9)
    return [
      [1, 0],
      [count - 1, outer],
    ];
  if (count <= 13)
    return [
      [4, 12],
      [count - 4, outer],
    ];
  return [
    [1, 0],
    [6, outer / 2],
    [count - 7, outer],
  ];
}

function placesInHole(cell, all) {
  const count = Math.min(all, MOST_IN_HOLE);
  const size = count <= 9 ? 10 : count <= 13 ? 8 : 6.6;
  const angle = (place, of) => 2 * Math.PI * (place / of) - Math.PI / 2;
  return ringsOf(count, size).flatMap(([of, radius]) =>
    Array.from({ length: of }, (_, place) => [
      middleOf(cell) + radius * Math.cos(angle(place, of)),
      heightOf(cell) + radius * Math.sin(angle(place, of)),
      size,
    ]),
  );
}

// Rows of five, from the bottom.
function placesInStore(cell, all) {
  const lowest = HEIGHT - LABEL - 20;
  return Array.from({ length: Math.min(all, MOST_IN_STORE) }, (_, place) => [
    middleOf(cell) + 15 * ((place % 5) - 2),
    lowest - 15 * Math.floor(place / 5),
    6.6,
  ]);
}

const placesInHand = (count) =>
  Array.from({ length: count }, (_, place) => [15 * (place - (count - 1) / 2), 0, 6.6]);

// The picture

const SVG = "http://www.w3.org/2000/svg";

function drawn(name, attributes, ...children) {
  const shape = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  shape.append(...children);
  return shape;
}

function glassOf(colour, number) {
  const light = drawn("stop", { offset: "0", "stop-color": "#ffffff" });
  const body = drawn("stop", { offset: "0.35", "stop-color": colour });
  const edge = drawn("stop", { offset: "1", "stop-color": colour, "stop-opacity": "0.75" });
  return drawn(
    "radialGradient",
    { id: `glass-${number}`, cx: "0.35", cy: "0.3", r: "0.75" },
    light,
    body,
    edge,
  );
}

function pitOf(cell) {
  if (!isStore(cell))
    return drawn("circle", {
      class: "pit",
      "data-cell": cell,
      cx: middleOf(cell),
      cy: heightOf(cell),
      r: PIT,
    });
  const [x, height] = [middleOf(cell) - PIT, HEIGHT - 2 * LABEL];
  return drawn("rect", { class: "pit", "data-cell": cell, x, y: LABEL, width: 2 * PIT, height, rx: 28 });
}

function labelOf(cell) {
  const y = isUpper(cell) ? LABEL / 2 : HEIGHT - LABEL / 2;
  const x = middleOf(cell) + (isStore(cell) ? 0 : 14);
  const shapes = [
    drawn("rect", { class: "badge", x: x - 25, y: y - 17, width: 50, height: 34, rx: 14 }),
    drawn("text", { class: "count", x, y }),
  ];
  if (!isStore(cell))
    shapes.unshift(drawn("text", { class: "hole", x: middleOf(cell) - 29, y }, String(cell)));
  return drawn("g", {}, ...shapes);
}

function rowOf(player) {
  const y = player === 1 ? LOWER : UPPER;
  return drawn("rect", {
    class: "row",
    x: COLUMN,
    y: y - COLUMN / 2,
    width: COLUMN * H,
    height: COLUMN,
    rx: 40,
  });
}

function marbleOf(number) {
  const glass = `url(#glass-${number % COLOURS.length})`;
  return drawn("g", { class: "marble", "data-hidden": "true" }, drawn("circle", { r: 10, fill: glass }));
}

function drawBoard(count) {
  const cells = Array.from({ length: CELLS }, (_, cell) => cell);
  const parts = {
    rows: [1, 2].map(rowOf),
    pits: cells.map(pitOf),
    labels: cells.map(labelOf),
    hand: drawn("rect", { id: "hand", y: -13, height: 26, rx: 13 }),
    marbles: Array.from({ length: count }, (_, number) => marbleOf(number)),
  };
  const glass = drawn("defs", {}, ...COLOURS.map(glassOf));
  one("picture").setAttribute("viewBox", `0 0 ${COLUMN * (H + 2)} ${HEIGHT}`);
  one("picture").style.setProperty("--columns", H + 2);
  one("picture").append(glass, ...parts.rows, ...parts.pits, ...parts.labels, parts.hand, ...parts.marbles);
  return parts;
}

function put(marble, spot) {
  marble.dataset.hidden = String(spot === undefined);
  if (spot === undefined) return;
  const [x, y, size] = spot;
  marble.style.transform = `translate(${x}px, ${y}px) scale(${size / 10})`;
}

function placeAll(numbers, spots) {
  for (const [order, number] of numbers.entries()) put(drawing.marbles[number], spots[order]);
}

// Whether a player is to move, which nobody is once the game is over.
function isToMove(player, frame) {
  const step = game.steps[frame.board];
  return step.turn === player && !step.over;
}

function drawPicture(frame) {
  for (const player of [1, 2])
    drawing.rows[player - 1].setAttribute("data-turn", String(isToMove(player, frame)));
  for (const marble of drawing.marbles) put(marble);
  frame.marbles.forEach((held, cell) => {
    const spots = (isStore(cell) ? placesInStore : placesInHole)(cell, held.length);
    placeAll(held, spots);
    drawing.pits[cell].setAttribute("data-changed", String(frame.changed.includes(cell)));
    drawing.labels[cell].querySelector(".count").textContent = frame.counts[cell];
  });
  drawHand(frame);
}

function drawHand(frame) {
  const shown = Math.min(frame.hand.length, MOST_IN_HAND);
  drawing.hand.style.display = shown ? "" : "none";
  if (!shown) return;
  const width = 15 * shown + 12;
  // It stays between the stores, so that its marbles are not counted as theirs.
  const x = Math.max(COLUMN + width / 2, Math.min(COLUMN * (H + 1) - width / 2, middleOf(frame.at)));
  drawing.hand.setAttribute("x", -width / 2);
  drawing.hand.setAttribute("width", width);
  drawing.hand.style.transform = `translate(${x}px, ${MIDDLE}px)`;
  const spots = placesInHand(shown).map(([dx, dy, size]) => [x + dx, MIDDLE + dy, size]);
  placeAll(frame.hand, spots);
}

// The table: its rows run the way the picture runs, player 2's from right to left.

function element(name, text, attributes = {}) {
  const box = document.createElement(name);
  box.textContent = text;
  for (const [key, value] of Object.entries(attributes)) box.setAttribute(key, value);
  return box;
}

function tableRow(player, cells, frame) {
  const line = document.createElement("tr");
  const turn = isToMove(player, frame) ? ", to move" : "";
  const boxes = cells.map((cell) => {
    if (cell === null) return element("td", "");
    const isChanged = frame.changed.includes(cell);
    const marks = isChanged ? { class: "changed", title: "changed by the last move" } : {};
    return element("td", frame.counts[cell], { ...marks, "data-cell": cell });
  });
  line.append(element("th", `Player ${player}${turn}`, { scope: "row" }), ...boxes);
  return line;
}

function drawTable(frame) {
  const columns = Array.from({ length: H }, (_, hole) => hole);
  const names = ["store of 2", ...columns.map((hole) => `${2 * H - hole} and ${hole}`), "store of 1"];
  const heads = document.createElement("tr");
  heads.append(element("td", ""), ...names.map((name) => element("th", name, { scope: "col" })));
  const upper = [2 * H + 1, ...columns.map((hole) => 2 * H - hole), null];
  const lower = [null, ...columns, H];
  const caption = element(
    "caption",
    frame.isBoard ? `Marbles on board ${frame.board + 1}` : "Marbles while a hole is sown",
  );
  one("table").replaceChildren(caption, heads, tableRow(2, upper, frame), tableRow(1, lower, frame));
}

// Steps

const { frames, made } = framesOf(game.steps);
const boards = frames.flatMap((frame, place) => (frame.isBoard ? [place] : []));
const last = frames.length - 1;
const drawing = drawBoard(made);
one("undrawn").hidden = !frames.some(hasUndrawn);
const still = matchMedia("(prefers-reduced-motion: reduce)");
let now = 0;
let goal = null; // the frame at which what runs stops
let timer = null;

function said(frame) {
  if (frame.isBoard) return game.steps[frame.board].said;
  const left = frame.hand.length;
  return `Hole ${frame.from} is sown: ${left} ${left === 1 ? "marble" : "marbles"} in the hand.`;
}

function show(next) {
  now = Math.max(0, Math.min(last, next));
  const frame = frames[now];
  drawPicture(frame);
  drawTable(frame);
  one("said").textContent = said(frame);
  for (const player of [1, 2]) {
    const isTurn = isToMove(player, frame);
    one(`player-${player}`).dataset.turn = String(isTurn);
    one(`player-${player}`).querySelector(".turn").textContent = isTurn ? "to move" : "";
  }
  const number = frame.isBoard ? `${frame.board + 1}` : `${frame.board + 1} to ${frame.board + 2}`;
  one("number").textContent = `Board ${number} of ${game.steps.length}`;
  one("where").value = frame.board;
  for (const id of ["back", "take"]) one(id).disabled = now === 0;
  for (const id of ["forward", "drop"]) one(id).disabled = now === last;
}

function stop() {
  clearTimeout(timer);
  goal = timer = null;
  one("play-text").textContent = "Play";
  one("said").setAttribute("aria-live", "polite");
}

// Run to a frame, marble by marble; without motion, board by board.
function run(to) {
  stop();
  goal = to;
  one("play-text").textContent = "Pause";
  one("said").setAttribute("aria-live", "off"); // a sentence for each marble would never be read to its end
  tick(DROP_EVERY);
}

function tick(pause) {
  timer = setTimeout(() => {
    show(still.matches ? nextBoard() : now + 1);
    if (now >= goal) stop();
    else tick(frames[now].isBoard ? REST : DROP_EVERY);
  }, pause);
}

const nextBoard = () => boards.find((place) => place > now) ?? last;
const boardBefore = () => boards.findLast((place) => place < now) ?? 0;

function halt(next) {
  stop();
  show(next);
}

function forward() {
  if (now === last) return;
  if (still.matches || timer !== null) return halt(nextBoard());
  show(now + 1);
  if (frames[now].isBoard) return;
  run(nextBoard());
}

function play() {
  if (timer !== null) return stop();
  if (now === last) show(0);
  run(last);
}

const KEYS = {
  ArrowLeft: () => halt(boardBefore()),
  ArrowRight: forward,
  ",": () => halt(now - 1),
  ".": () => halt(now + 1),
  Home: () => halt(0),
  End: () => halt(last),
  p: play,
};

one("most-in-hole").textContent = MOST_IN_HOLE;
one("most-in-store").textContent = MOST_IN_STORE;
document.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.altKey || event.metaKey || !(key in KEYS)) return;
  event.preventDefault();
  KEYS[key]();
});
one("where").max = game.steps.length - 1;
one("where").addEventListener("input", (event) => halt(boards[Number(event.target.value)]));
one("back").addEventListener("click", KEYS.ArrowLeft);
one("take").addEventListener("click", KEYS[","]);
one("play").addEventListener("click", play);
one("drop").addEventListener("click", KEYS["."]);
one("forward").addEventListener("click", forward);
show(0);
