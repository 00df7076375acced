// What browsers can do, by the data that MDN keeps, beside what the pages use.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse, walk } from "css-tree";

/** The oldest browsers that can play, by their versions. */
const OLDEST = { chrome: 119, firefox: 120, safari: 17.1 };

/**
 * A feature: the browsers of these that do not know it, and its parts.
 *
 * @typedef {{ missing: string[], parts: Map<string, Feature> }} Feature
 */

/** @type {Feature} */
const NONE = { missing: [], parts: new Map() };

const path = createRequire(import.meta.url).resolve("@mdn/browser-compat-data");
const ALL = featureOf(JSON.parse(readFileSync(path, "utf8")));
const CSS = partsOf(ALL, "css");
const TYPES = partsOf(CSS, "types");
const AT_RULES = partsOf(CSS, "at-rules");

/** The units that have a version of their own. @type {[RegExp, string][]} */
const UNITS = [
  [/^cq/, "container_query_length_units"],
  [/^dv/, "viewport_percentage_units_dynamic"],
  [/^lv/, "viewport_percentage_units_large"],
  [/^sv/, "viewport_percentage_units_small"],
];

/** @param {Record<string, any>} data @returns {Feature} */
function featureOf({ __compat: compat, ...parts }) {
  const named = Object.entries(parts).filter(([name]) => name !== "__meta" && name !== "browsers");
  return {
    missing: compat === undefined ? [] : missingIn(compat.support),
    parts: new Map(named.map(([name, part]) => [name, featureOf(part)])),
  };
}

/** @param {Record<string, any>} support */
function missingIn(support) {
  const known = Object.entries(OLDEST).filter(([browser]) => support[browser] !== undefined);
  return known
    .filter(([browser, version]) => ![support[browser]].flat().some((one) => isKnown(one, version)))
    .map(([browser]) => browser);
}

/** @param {Record<string, any>} support @param {number} version */
function isKnown({ version_added: added, flags, prefix, alternative_name: name }, version) {
  const isPlain = flags === undefined && prefix === undefined && name === undefined;
  return isPlain && typeof added === "string" && Number(added.replace("≤", "")) <= version;
}

/** @param {Feature} feature @param {string[]} names */
function partsOf(feature, ...names) {
  return names.reduce((tree, name) => tree.parts.get(name) ?? NONE, feature);
}

/** @param {Feature} feature @param {string} name @returns {Feature | undefined} */
function below({ parts }, name) {
  return parts.get(name) ?? [...parts.values()].map((part) => below(part, name)).find(Boolean);
}

/** @param {string} what @param {Feature | undefined} feature */
function lacking(what, feature) {
  return feature && feature.missing.length > 0 ? [`${what} (${feature.missing.join(", ")})`] : [];
}

/**
 * What a style sheet uses that one of the oldest browsers does not know. What stands in `@supports` is passed over.
 *
 * @param {string} text
 */
export function newInStyles(text) {
  const sheet = parse(text);
  walk(sheet, {
    visit: "Atrule",
    enter: (rule, item, list) => (rule.name === "supports" ? list?.remove(item) : undefined),
  });
  /** @type {string[]} */
  const found = [];
  walk(sheet, (node) => {
    if (node.type === "Declaration") found.push(...newInDeclaration(node));
    if (node.type === "Atrule") found.push(...newInRule(node));
    if (node.type === "NestingSelector") found.push(...lacking("&", partsOf(CSS, "selectors", "nesting")));
    if (node.type === "PseudoClassSelector" || node.type === "PseudoElementSelector")
      found.push(...lacking(`:${node.name}`, partsOf(CSS, "selectors", node.name)));
  });
  return found;
}

/** @param {import("css-tree").Declaration} declaration */
function newInDeclaration({ property, value }) {
  const feature = partsOf(CSS, "properties", property);
  const found = lacking(property, feature);
  walk(value, (node) => {
    if (node.type === "Identifier")
      found.push(...lacking(`${property}: ${node.name}`, feature.parts.get(node.name)));
    if (node.type === "Function") found.push(...lacking(`${node.name}()`, below(TYPES, node.name)));
    if (node.type !== "Dimension") return;
    const unit = UNITS.find(([pattern]) => pattern.test(node.unit))?.[1] ?? "";
    found.push(...lacking(node.unit, partsOf(TYPES, "length", unit)));
  });
  return found;
}

/** @param {import("css-tree").Atrule} rule */
function newInRule({ name, prelude }) {
  const feature = partsOf(AT_RULES, name);
  const found = lacking(`@${name}`, feature);
  if (prelude === null) return found;
  walk(prelude, (node) => {
    if (node.type === "Feature")
      found.push(...lacking(`@${name} ${node.name}`, feature.parts.get(node.name)));
  });
  return found;
}

/** All members of interfaces and of builtins, and these themselves, by their names. @type {Map<string, Feature[]>} */
const NAMED = new Map();
const BUILTINS = partsOf(ALL, "javascript", "builtins");
for (const group of [partsOf(ALL, "api"), BUILTINS, partsOf(BUILTINS, "Intl")]) {
  for (const [name, feature] of group.parts) {
    for (const [key, one] of [[name, feature], ...feature.parts]) {
      const plain = String(key).replace(/_(static|event)$/, "");
      NAMED.set(plain, [...(NAMED.get(plain) ?? []), /** @type {Feature} */ (one)]);
    }
  }
}

/** The code of a script without its comments and texts. @param {string} text */
const codeOf = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*$|"[^"\n]*"/gm, "");

/** The names that scripts and their types give to things themselves. @param {string[]} texts */
export function ownNames(texts) {
  const all = texts.flatMap((text) => [...codeOf(text).matchAll(/(?<![.\w])[A-Za-z]\w*/g)].map(String));
  return new Set(all);
}

/**
 * The members and classes that a script names, where one of the oldest browsers has nothing of that name.
 *
 * @param {string} text
 * @param {Set<string>} own names that are not the browser's
 */
export function newInScripts(text, own) {
  const names = [...codeOf(text).matchAll(/\.([A-Za-z]\w*)/g)].map(([, name = ""]) => name);
  const members = new Set(names.filter((name) => !own.has(name)));
  const classes = new Set([...codeOf(text).matchAll(/\bnew ([A-Z]\w*)/g)].map(([, name = ""]) => name));
  return [...members, ...classes].flatMap((name) => {
    const known = NAMED.get(name) ?? [];
    return known.every(({ missing }) => missing.length > 0) ? lacking(name, known[0]) : [];
  });
}

/**
 * The elements and attributes of a page that one of the oldest browsers does not know.
 *
 * @param {string} text
 */
export function newInPages(text) {
  const [elements, everywhere] = ["elements", "global_attributes"].map((name) => partsOf(ALL, "html", name));
  const tags = text.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)/g);
  return [...tags].flatMap(([, element = "", attributes = ""]) => {
    const feature = partsOf(elements ?? NONE, element);
    const names = [...attributes.replaceAll(/"[^"]*"/g, "").matchAll(/[a-z-]+/g)].map(String);
    return [
      ...lacking(`<${element}>`, feature),
      ...names.flatMap((name) =>
        lacking(`<${element} ${name}>`, feature.parts.get(name) ?? everywhere?.parts.get(name)),
      ),
    ];
  });
}
