// Where this page is: its dealer among several, the table that it shows, and the token of a seat that is kept for it. The
// address has the first two, so that a link to the page leads there; the memory of the tab has the token and its dealer.

import { addressOf, placeOf } from "../shared/address.js";
import { tab } from "../shared/memory.js";

const TOKEN_BYTES = 24; // 32 characters

/** The place in the address of the page; without a dealer there, the one that keeps a seat. */
export function openPlace() {
  let { dealer, table } = placeOf(location);
  let token = keptToken();
  if (token !== null && dealer === null) dealer = keptDealer();
  else if (dealer !== keptDealer()) token = null; // it is for another dealer

  function show() {
    history.replaceState(null, "", location.pathname + addressOf({ dealer, table }));
  }

  function forgetSeat() {
    token = null;
    tab.forget("seat");
  }

  return {
    get dealer() {
      return dealer;
    },
    get table() {
      return table;
    },
    get token() {
      return token;
    },

    /** @param {number | null} number of the table that is shown from now on */
    watch(number) {
      table = number;
      show();
    },

    /** The dealer has told its name. @param {string | null} name null for one that has none */
    meet(name) {
      if (name === dealer) return;
      dealer = name;
      tab.write("dealer", dealer);
      show();
    },

    /** A new token. */
    keepSeat() {
      token = newToken();
      tab.write("seat", token);
      tab.write("dealer", dealer);
      return token;
    },

    forgetSeat,

    /** Forget the dealer with all that was there: any other may come next. */
    leaveDealer() {
      forgetSeat();
      for (const key of ["dealer", "opened"]) tab.forget(key);
      [dealer, table] = [null, null];
      show();
    },
  };
}

function keptToken() {
  const token = tab.read("seat");
  return typeof token === "string" && /^[\w-]{22,64}$/.test(token) ? token : null;
}

function keptDealer() {
  const name = tab.read("dealer");
  return typeof name === "string" ? name : null;
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_");
}
