// The figures of what one has learned under the rules that are drilled, and the longest streak to share.

import { byId, fact } from "../shared/elements.js";
import { rounded } from "../shared/numbers.js";
import { text } from "../shared/texts.js";
import { share } from "./share.js";

/** @param {TrainerRecord} record */
export function showProgress({ asked, right, lost, streak, best }) {
  const rows = [
    [text("trainer.decisions"), rounded(asked)],
    [
      text("trainer.part-right"),
      asked === 0 ? "" : text("trainer.percent", { part: rounded((100 * right) / asked, 1) }),
    ],
    [text("trainer.lost-per-100"), asked === 0 ? "" : rounded((100 * lost) / asked)],
    [text("trainer.streak"), rounded(streak)],
    [text("trainer.best-streak"), rounded(best)],
  ];
  byId("progress").replaceChildren(...rows.map(([name = "", value = ""]) => fact(name, value)));
  byId("share-streak", HTMLButtonElement).disabled = best === 0;
}

/** @param {() => { best: number, rules: string }} known the longest streak, and what its rules are called */
export function startStreak(known) {
  byId("share-streak").addEventListener("click", () => {
    const { best, rules } = known();
    share(text("trainer.streak-shared", { count: best, rules }));
  });
}
