// What outlives a reload (this tab) or the tab (this browser). A browser that keeps nothing is no reason to stop.

const PREFIX = "twentyone.";

export const tab = notes(() => sessionStorage);
export const browser = notes(() => localStorage);

function notes(place) {
  const attempt = (act) => {
    try {
      return act(place());
    } catch {
      return null;
    }
  };
  return {
    read: (key) => attempt((storage) => JSON.parse(storage.getItem(PREFIX + key))),
    write: (key, value) => attempt((storage) => storage.setItem(PREFIX + key, JSON.stringify(value))),
    forget: (key) => attempt((storage) => storage.removeItem(PREFIX + key)),
  };
}
