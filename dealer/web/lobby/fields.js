// The fields of the form for a table of your own, group by group. Their labels and options are texts by the same names.

import { byId, made } from "../shared/elements.js";
import { named } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { PRESETS } from "./presets.js";

/**
 * A field by its id and the key of its text: a number with its limits, a choice of several, or without both a box to
 * tick.
 *
 * @typedef {{ id: string, key?: string, least?: number, most?: number, options?: string[], isWide?: boolean }} Field
 */

/** @type {Record<string, Field[]>} */
const GROUPS = {
  game: [],
  people: [
    { id: "seats", least: 1, most: 9 },
    { id: "friends", least: 0, most: 8 },
    { id: "bots", least: 0, most: 8 },
    {
      id: "bot-policy",
      options: ["basic", "threshold:12", "threshold:16", "threshold:17", "qtable", "random"],
      isWide: true,
    },
    { id: "practice", isWide: true },
  ],
  rules: [
    rule("ace", "either 1 11"),
    rule("naturals", "equal beat player 1:1 6:5 3:2 2:1"),
    rule("dealer-stands", "all17 hard17"),
    rule("double", "none any 9-11 10-11 always"),
    rule("split", "1 2 3 4"),
    rule("split-aces", "once again play"),
    rule("surrender", "none late early"),
    rule("hole-card", "last peek obo"),
    { id: "rule-double-after-split", key: "double-after-split" },
    { id: "rule-insurance", key: "insurance" },
  ],
  shoe: [
    { id: "decks", options: "1 2 3 4 5 6 7 8 inf".split(" ") },
    rule("reshuffle", "round penetration cutoff"),
    { id: "shoe-part", least: 1, most: 99 },
    { id: "shoe-left", least: 1, most: 416 },
  ],
  bets: [
    { id: "bets", isWide: true },
    { id: "bet-least", least: 1, most: 1_000_000 },
    { id: "bet-most", least: 1, most: 1_000_000 },
    { id: "bankroll", least: 1, most: 1_000_000_000 },
  ],
  pace: [
    { id: "pause", least: 0, most: 600 },
    { id: "bot-delay", least: 0, most: 600 },
  ],
};

/** @param {string} key @param {string} options @returns {Field} */
function rule(key, options) {
  return { id: `rule-${key}`, key, options: options.split(" ") };
}

/** The id of a group's tab. @param {string} group */
export const tabOf = (group) => `tab-${group}`;

/** Put the tabs and the fields into the form. */
export function makeFields() {
  for (const [group, fields] of Object.entries(GROUPS)) {
    const panel = made(
      "div",
      { id: `group-${group}`, role: "tabpanel", "aria-labelledby": tabOf(group) },
      group === "game" ? presets() : made("div", { class: "fields" }, ...fields.map(labelled)),
    );
    byId("group").append(panel);
    const tab = { id: tabOf(group), type: "button", role: "tab", "aria-controls": panel.id };
    byId("groups").append(made("button", tab, named("group", group)));
  }
}

function presets() {
  const about = (/** @type {string} */ name) => made("small", { id: `about-${name}` }, named("about", name));
  const choices = [...PRESETS.keys()].map((name) =>
    made(
      "label",
      { class: "preset" },
      made("input", { type: "radio", name: "preset", value: name, "aria-describedby": `about-${name}` }),
      made("span", {}, made("b", {}, named("preset", name)), " ", about(name)),
    ),
  );
  return made("div", { id: "opponent", role: "radiogroup", "aria-label": text("group.game") }, ...choices);
}

/** @param {Field} field */
function labelled(field) {
  const { id, key = id, least, isWide, options } = field;
  const isBox = options === undefined && least === undefined;
  const name = made("span", {}, named("field", key));
  const classes = [isBox ? "choice" : "", isWide ? "wide" : ""].filter(Boolean).join(" ");
  const parts = isBox ? [made("input", { id, type: "checkbox" }), name] : [name, inputOf(field, key)];
  return made("label", { class: classes || null }, ...parts);
}

/** @param {Field} field @param {string} key */
function inputOf({ id, least = 0, most = 0, options }, key) {
  if (options !== undefined) {
    const all = options.map((value) => made("option", { value }, named(`field.${key}`, value)));
    return made("select", { id }, ...all);
  }
  const isOptional = id === "bankroll"; // it is 100 bets then
  const more = { placeholder: isOptional ? text("field.bankroll.none") : null, required: !isOptional };
  const step = ["pause", "bot-delay"].includes(id) ? "any" : null;
  return made("input", { id, type: "number", min: least, max: most, step, ...more });
}
