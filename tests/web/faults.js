// What is wrong with where things are on the table's page: tests/web/sweep.py runs this in the page, at every size.

(() => {
  const MARKS = ".card, .name, .total, .state, .stake, .insured, .score, .result, #print li, #all-shown, #start, #waiting";
  const MAY_BE_SHORTENED = ".name, .result, .state, .insured";
  const LEAST_TEXT = 11.9; // pixels
  const LEAST_TARGET = 24;
  const LEAST_PLAY = 43.5; // of the buttons that are pressed in each round

  const all = (css) => [...document.querySelectorAll(css)];
  const one = (css) => document.querySelector(css);
  /** What has been read at this size. */
  let boxes = new Map();

  const boxOf = (element) => {
    if (!boxes.has(element)) boxes.set(element, element.getBoundingClientRect());
    return boxes.get(element);
  };
  const isShown = (element) => {
    const { width, height } = boxOf(element);
    return width > 1.5 && height > 1.5 && element.checkVisibility();
  };
  const overlap = (a, b) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const isInside = (inner, outer, by = 0.6) =>
    inner.left >= outer.left - by &&
    inner.right <= outer.right + by &&
    inner.top >= outer.top - by &&
    inner.bottom <= outer.bottom + by;

  // What is seen of an element: without what a box around it cuts off.
  const seenOf = (element) => {
    let { left, top, right, bottom } = boxOf(element);
    let box = element.parentElement;
    for (; box !== null && !box.matches(".seat, #table, #actions, body"); box = box.parentElement) {
      if (getComputedStyle(box).overflow === "visible") continue;
      const edge = boxOf(box);
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const isSeen = ({ left, top, right, bottom }) => right - left > 2 && bottom - top > 2;

  const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;

  const named = (element) => {
    const seat = element.closest(".seat")?.dataset.seat;
    const kind = element.className.baseVal ?? element.className;
    return `${element.id || kind || element.tagName}${seat === undefined ? "" : ` of seat ${seat}`}`;
  };

  // Pairs of things that lie over each other.
  const overlaps = (things, mayMeet) =>
    things.flatMap((a, at) =>
      things
        .slice(at + 1)
        .filter((b) => !mayMeet(a.element, b.element) && overlap(a.box, b.box))
        .map((b) => `${named(a.element)} over ${named(b.element)}`),
    );
  const isOneHand = (a, b) =>
    a.contains(b) || b.contains(a) || (a.closest(".cards") !== null && a.closest(".cards") === b.closest(".cards"));

  function* onFelt() {
    const marks = all(`#table :is(${MARKS})`)
      .filter((element) => isShown(element) && (element.matches(".card") || element.textContent))
      .map((element) => ({ element, box: seenOf(element) }))
      .filter(({ box }) => isSeen(box));
    yield* overlaps(marks, isOneHand);
    for (const { element, box } of marks) {
      const whole = element.matches(MAY_BE_SHORTENED) ? box : boxOf(element);
      const place = element.closest(".split, .seat, #dealer") ?? one("#table");
      const isPlaced = isInside(whole, boxOf(place), 1) && isInside(whole, boxOf(one("#table")));
      if (!isPlaced) yield `${named(element)} is outside`;
    }
  }

  // What a natural pays is printed in full on every felt with a dealer.
  function* print() {
    if (!isShown(one("#dealer")) || !one(".seat")) return;
    const first = one("#print li");
    const place = boxOf(one("#middle"));
    if (!first || !isShown(first)) yield "the print is not seen";
    else if (!isInside(boxOf(first), place)) yield "the print is outside its place";
    if (Number.parseFloat(getComputedStyle(one("#print")).fontSize) < LEAST_TEXT) yield "the print is small";
  }

  // Amounts are never shortened: they drop out whole, or are read.
  function* amounts() {
    for (const amount of all("#table .amount").filter((each) => isShown(each) && isShown(each.parentElement))) {
      const [whole, part] = [boxOf(amount), seenOf(amount)];
      const name = named(amount.parentElement);
      const isCut = whole.width - part.right + part.left > 1 || whole.height - part.bottom + part.top > 4;
      if (isSeen(part) && isCut) yield `the amount of ${name} is cut off`;
      if (Number.parseFloat(getComputedStyle(amount).fontSize) < LEAST_TEXT) yield `${name} is small`;
    }
  }

  function* buttons() {
    const panel = boxOf(one("#actions"));
    const view = { left: 0, top: 0, right: document.documentElement.clientWidth, bottom: innerHeight };
    const shown = all("#actions :is(button, input, #status, #advice, #clock)").filter(isShown);
    yield* overlaps(
      shown.map((element) => ({ element, box: seenOf(element) })),
      () => false,
    );
    for (const button of shown.filter((each) => each.matches("button, input"))) {
      const box = boxOf(button);
      if (!isInside(box, panel)) yield `${named(button)} is outside its panel`;
      if (!button.disabled && !isInside(box, view)) yield `${named(button)} is not in the window`;
      if (isCut(button)) yield `the text of ${named(button)} is cut off`;
      if (Math.min(box.width, box.height) < LEAST_TARGET) yield `${named(button)} is small`;
      if (button.matches(".play") && box.height < LEAST_PLAY) yield `${named(button)} is low`;
    }
  }

  // What lies on the felt, between it and the actions, and beside them: its parts have their own room, and what does not
  // fit can be scrolled to.
  function* panels() {
    for (const panel of all("#start, #waiting, #count-panel, aside").filter(isShown)) {
      const box = boxOf(panel);
      const mayScroll = getComputedStyle(panel).overflowY !== "hidden";
      const parts = panel.querySelectorAll("button, input, img, p:not(#log p), h2, li, dl > div, #log");
      const things = [...parts].filter(isShown).map((element) => ({ element, box: boxOf(element) }));
      yield* overlaps(things, (a, b) => a.contains(b) || b.contains(a));
      for (const { element, box: part } of things) {
        const name = `${named(element)} of ${named(panel)}`;
        if (part.left < box.left - 0.6 || part.right > box.right + 0.6) yield `${name} is outside`;
        if (!mayScroll && part.bottom > box.bottom + 0.6) yield `${name} is cut off`;
        if (!element.matches("button")) continue;
        if (isCut(element)) yield `the text of ${name} is cut off`;
        if (Math.min(part.width, part.height) < LEAST_TARGET) yield `${name} is small`;
      }
    }
  }

  function* page() {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) yield `the page is ${scrollWidth} wide`;
    for (const part of all("header :is(a, button, h1, p)").filter(isShown)) {
      const { left, right } = boxOf(part);
      if (left < -0.5 || right > clientWidth + 0.5) yield `${named(part)} is not in the window`;
    }
  }

  // One's hand, the decisions and Next are in sight together, also where the page has to be scrolled for that.
  function* hand() {
    const own = one('.seat[data-own="true"]');
    own?.scrollIntoView({ block: "nearest" });
    const [box, actions] = [own?.getBoundingClientRect(), one("#actions").getBoundingClientRect()];
    const isHidden = box && (box.top < -1 || overlap(box, actions) || box.bottom > innerHeight + 1);
    if (isHidden) yield "one's hand is not in sight with the actions";
    const isLarge = Math.min(innerWidth, innerHeight) >= 400 && document.documentElement.dataset.letters === undefined;
    // At 400 pixels across an invitation or the count leaves nine seats no room: then the page may be scrolled, too.
    const hasMore = innerWidth < 420 && (isShown(one("#waiting")) || isShown(one("#count-panel")));
    if (isLarge && !hasMore && scrollY > 0) yield "the felt does not fit into the window";
    scrollTo(0, 0);
  }

  window.faults = () => {
    boxes = new Map();
    return [...page(), ...onFelt(), ...print(), ...amounts(), ...buttons(), ...panels(), ...hand()];
  };
  // After the next picture: by then the page has been laid out, and the felt has placed what lies on it.
  window.laidOut = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
})();
