// Where a link leads: to which of several dealers behind one address, and to which table there; and where the WebSocket
// is. Nothing here touches the document.

const NAME = /^[0-9A-Za-z]{1,16}$/;
const NUMBER = /^[1-9]\d{0,8}$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The place that the address of a page names.
 *
 * @param {Pick<Location, "search" | "hash">} page
 * @returns {Place}
 */
export function placeOf({ search, hash }) {
  const query = new URLSearchParams(search);
  const dealer = query.get("dealer") ?? "";
  const table = hash.startsWith("#table=") ? hash.slice("#table=".length) : (query.get("table") ?? "");
  return { dealer: NAME.test(dealer) ? dealer : null, table: NUMBER.test(table) ? Number(table) : null };
}

/**
 * The place of a table that is shown.
 *
 * @param {Pick<Table, "table" | "dealer_name">} shown
 * @returns {Place}
 */
export function placeOfTable({ table, dealer_name }) {
  return { dealer: dealer_name ?? null, table };
}

/**
 * A place as the query of an address. A balancer reads the name of the dealer there.
 *
 * @param {Place} place
 */
export function queryOf({ dealer, table }) {
  const parts = [dealer === null ? "" : `dealer=${dealer}`, table === null ? "" : `table=${table}`];
  return `?${parts.filter(Boolean).join("&")}`;
}

/**
 * What the address of the table's page has behind its path.
 *
 * @param {Place} place
 */
export function addressOf(place) {
  if (place.dealer !== null) return queryOf(place);
  return place.table === null ? "" : `#table=${place.table}`;
}

/**
 * What links for others begin with: the public address by which the page was opened, otherwise the first one, and the
 * page's own where the dealer has none.
 *
 * @param {Pick<Location, "href">} page any page of the dealer
 * @param {string[]} publicUrls
 */
export function baseOf(page, publicUrls) {
  const own = new URL("./", page.href).href;
  return publicUrls.includes(own) ? own : (publicUrls[0] ?? own);
}

/** Whether what begins with this can be reached from this machine only. @param {string} base */
export function isLoopback(base) {
  return LOOPBACK.test(new URL(base).hostname);
}

/**
 * The link to a place.
 *
 * @param {string} base
 * @param {Place} place
 */
export function linkTo(base, place) {
  return `${base}${addressOf(place)}`;
}

/** The link to the ten hands of today. @param {string} base */
export function linkToToday(base) {
  return `${base}trainer.html#today`;
}

/**
 * The address of the dealer's WebSocket: beside the page, so that a proxy may put both under a path.
 *
 * @param {Pick<Location, "href">} page
 * @param {string | null} [dealer] the name of the one that is meant, among several; null for any
 */
export function socketAddress(page, dealer = null) {
  const address = new URL(dealer === null ? "ws" : `ws?dealer=${dealer}`, page.href);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}
