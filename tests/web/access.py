"""What bars the way in a page: what axe-core finds, and what can only be seen by scrolling sideways."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.browser import WIDE, Page

PORTRAIT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)
LAPTOP: Final = (1366, 768)
SIZES: Final = (PORTRAIT, LANDSCAPE, LAPTOP)

LOOKS: Final = {PORTRAIT: "light", LAPTOP: "dark"}
"""The sizes at which axe-core looks at a page, once narrow and once wide, each in one of the themes."""

IMPACTS: Final = ("minor", "moderate", "serious", "critical")
"""How much a violation matters, in the words of axe-core."""


def axe_core() -> str:
    """The source of axe-core, which checks accessibility; skips the test where it is not installed."""
    installed = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
    path = Path(os.environ.get("AXE_CORE", installed))
    if not path.is_file():
        pytest.skip("axe-core is not installed (npm install, or AXE_CORE=its file)")
    return path.read_text(encoding="utf-8")


def barriers(page: Page, axe: str, *, scrolls: str = "", may_be_moderate: bool = False) -> list[str]:
    """All that is found in a page, each with how it was looked at; afterwards it is wide and light.

    Args:
        page: is looked at in all SIZES: nothing may be cut off.
        axe: the source of axe-core, which looks once narrow and once wide.
        scrolls: a selector of the parts that may be scrolled sideways, if there are any.
        may_be_moderate: whether only what is serious or critical counts for axe-core.
    """
    found = []
    for size in SIZES:
        page.resize(*size)
        found += [f"{size}: {element} is cut off" for element in overflowing(page, scrolls)]
        if theme := LOOKS.get(size):
            page.media(prefers_color_scheme=theme)
            problems = [
                *violations(page, axe, IMPACTS[2 * may_be_moderate :]),
                *faint_in_pictures(page),
                *small_letters(page),
            ]
            found += [f"{size}, {theme}: {problem}" for problem in problems]
    page.media(prefers_color_scheme="light")
    page.resize(*WIDE)
    return found


def violations(page: Page, axe: str, impacts: tuple[str, ...], *rules: str) -> list[str]:
    """What axe-core finds in the page as it is that matters so: against these of its rules, or any."""
    if not page.ask("'axe' in window"):
        page.driver.execute_script(axe)
    found: list[str] = page.run(
        """const options = { resultTypes: ["violations"], preload: false, ...given[0] };
        const { violations } = await axe.run(document, options);
        return violations.filter(({ impact }) => given[1].includes(impact)).flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`));""",
        {"runOnly": {"type": "rule", "values": rules}} if rules else {},
        impacts,
    )
    return [" ".join(violation.split()) for violation in found]


def faint_in_pictures(page: Page) -> list[str]:
    """The texts of SVG with a contrast below 4.5 to what is painted behind them; axe-core looks at none."""
    faint: list[str] = page.ask(f"({_FAINT})()")
    return faint


_FAINT: Final = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => (one * a + below[at] * (255 - a)) / 255);
  const light = (colour) => colour.map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  // The colours that an element paints; a gradient has several.
  const painted = (element) => {
    const style = getComputedStyle(element);
    if (element instanceof SVGElement && element.tagName !== "svg")
      return element.tagName === "text" || /none|url/.test(style.fill) ? [] : [style.fill];
    const stops = style.backgroundImage.match(/(rgba?|color|oklch)\\([^()]*\\)/g) ?? [];
    return stops.length > 0 ? stops : [style.backgroundColor];
  };
  // All colours that may lie behind, from the lowest up.
  const behind = (elements) => elements.reverse().reduce((grounds, element) => {
    const layers = painted(element).map(rgba).filter(([, , , a]) => a > 0);
    return layers.length === 0 ? grounds : layers.flatMap((one) => grounds.map((below) => over(one, below)));
  }, [over(rgba(getComputedStyle(document.documentElement).backgroundColor), rgba("Canvas"))]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("svg, svg * { pointer-events: all !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const texts = all("svg text").filter((text) => text.checkVisibility() && text.textContent.trim());
  const faint = texts.flatMap((text) => {
    let box = text.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) {
      text.scrollIntoView({ block: "center" });
      box = text.getBoundingClientRect();
    }
    const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const at = stack.indexOf(text);
    if (at < 0) return [];
    const ink = rgba(getComputedStyle(text).fill);
    const contrasts = behind(stack.slice(at + 1)).map((below) => contrast(over(ink, below), below));
    const least = Math.min(...contrasts);
    return least < 4.5 ? [`"${text.textContent}" in SVG has a contrast of ${least.toFixed(2)}`] : [];
  });
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  scrollTo(0, 0);
  return [...new Set(faint)];
}"""


def small_letters(page: Page) -> list[str]:
    """The texts that are smaller than twelve pixels; those of drawings are as large as these are drawn."""
    small: list[str] = page.ask(
        """all("body *:not(svg, svg *, script, style, .unseen, .unseen *)").filter((element) => {
          const isText = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
          const size = parseFloat(getComputedStyle(element).fontSize);
          return isText && element.checkVisibility() && size < 11.99;
        }).map((one) => `"${one.textContent.trim().slice(0, 30)}" has ${getComputedStyle(one).fontSize}`)"""
    )
    return sorted(set(small))


def overflowing(page: Page, scrolls: str = "") -> list[str]:
    """The elements that can only be seen by scrolling sideways, but not only a part that `scrolls`."""
    wide = page.ask(
        """[document.documentElement, ...all("body *:not(svg *)")].filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          const isInPart = arguments[0] && element.parentElement?.closest(arguments[0]);
          return element.checkVisibility() && !isInPart && (left < -0.5 || right > innerWidth + 0.5 ||
            element === document.documentElement && element.scrollWidth > innerWidth);
        }).map((element) => `${element.tagName} ${element.id} ${element.className}`)""",
        scrolls,
    )
    return list(wide)
