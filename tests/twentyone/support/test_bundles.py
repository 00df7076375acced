"""The modules of a page in one file: they run as if each was loaded on its own, now or later."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dealer.web.pages import sources
from twentyone.support.bundles import Imports, bundles

MODULES = {
    "a/main.js": """// Said first.
import { said, say as tell } from "../shared/said.js";
import * as all from "../shared/said.js";
import {
  twice,
} from "./twice.js";
import "../shared/quiet.js";

/** @type {import("../shared/said.js").Never} */
tell(twice("main")); // where "http://" is no comment
import("./later.js").then(({ act }) => {
  act();
  console.log([...said, all.said === said].join(" "));
});
""",
    "a/other.js": """export const load = () => import("./later.js");\n""",
    "a/twice.js": """import { say } from "../shared/said.js";
export async function* never() {}
export function twice(text) { say("twice"); return `${text} ${text}`; }
""",
    "a/later.js": """import { say } from "../shared/said.js";
import { Only } from "../shared/only.js";
export const act = () => say(new Only().text);
""",
    "shared/said.js": """const said = [];
export const say = (text) => said.push(text);
export { said };
""",
    "shared/only.js": """export class Only { text = "later"; }\n""",
    "shared/quiet.js": """import { say } from "./said.js";\nsay("quiet");\n""",
}


def test_each_module_runs_once_also_if_it_is_needed_later(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    entry = "a/main.js"
    for folder, files in (("alone", MODULES), ("bundled", bundles([entry], MODULES))):
        for name, text in files.items():
            file = tmp_path / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (tmp_path / folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    said = [
        subprocess.run(
            ["node", tmp_path / folder / entry], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for folder in ("alone", "bundled")
    ]
    assert said == ["quiet twice main main later true\n"] * 2


def test_a_file_for_later_leaves_out_what_every_page_has_that_may_load_it() -> None:
    alone, both = bundles(["a/main.js"], MODULES), bundles(["a/main.js", "a/other.js"], MODULES)
    parts = [re.findall(r'^modules\["([^"]+)"\]', each["a/later.js"], re.MULTILINE) for each in (alone, both)]
    assert parts == [["shared/only.js", "a/later.js"], ["shared/said.js", "shared/only.js", "a/later.js"]]
    assert alone.keys() == {"a/main.js", "a/later.js"}


def test_the_pages_keep_to_what_a_bundle_can_do() -> None:
    """An export that changes would be seen as it was first; modules that import each other have no order."""
    scripts = {name: text for name, text in sources().items() if name.endswith(".js")}
    imports = Imports(scripts)
    for name, text in scripts.items():
        assert (
            re.findall(r"^(?:export (?:let|var|default|\*)|await )|^import [^{*\"]", text, re.MULTILINE) == []
        ), name
        assert imports.in_order([name])[-1] == name
