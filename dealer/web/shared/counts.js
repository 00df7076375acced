// Numbers of things in words.

/**
 * A number of things, with the singular for one.
 * @param {number | string} count a number, or its text @param {string} one @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  const text = count.toLocaleString("en");
  return `${text} ${text === "1" ? one : many}`;
}
