// All texts of the pages by their keys, ready to be translated: the only place where words that people read stand.
// The table is plain JSON, since the dealer reads it too, for the `{{key}}` of the HTML files.

export const TEXTS = {
  "page.title": "twentyone: a blackjack table"
};

/** @typedef {keyof typeof TEXTS} TextKey */

const forms = new Intl.PluralRules("en");

/**
 * The text of a key, with values in its places.
 *
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values] for each `{name}`; `count` also chooses the form of a number
 */
export function text(key, values = {}) {
  const found = /** @type {string | Record<string, string>} */ (TEXTS[key]);
  const form = forms.select(Number(values.count));
  const pattern = typeof found === "string" ? found : (found[form] ?? found.other ?? key);
  return pattern.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}
