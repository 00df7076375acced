// Read before anything is drawn, so that no other colours flash up: what settings.js has kept.

try {
  const { theme = "system", suits = "two" } = JSON.parse(localStorage.getItem("twentyone.settings") ?? "{}");
  Object.assign(document.documentElement.dataset, { theme, suits });
} catch {
  // A browser that stores nothing shows the colours that the system wishes.
}
