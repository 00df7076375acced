// The part that every page does at its start: its header, and the settings.

import { startHeader } from "./header.js";
import "./settings.js";

export function startPage() {
  startHeader();
}
