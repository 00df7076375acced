# ruff: noqa: RUF001
"""Names that look alike, so that no player is taken for the owner of a name that is kept."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

LOOKALIKES: Final = {
    "'": "ʹʻʼʽʾˈˊˋ˴՚՝‘’‛′‵ꞌ",
    "-": "˗‐‒–—―⁃−➖Ⲻ",
    "2": "ƧϨꙄꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ",
    "4": "Ꮞ",
    "5": "Ƽ",
    "6": "бᏮⳒ",
    "8": "Ȣȣ",
    "9": "ⳊꝮ",
    "A": "ΑАᎪꓮ",
    "B": "ΒВᏴꓐꞴ",
    "C": "СϹᏟⲤꓚ",
    "D": "ÐƉᎠꓓ",
    "E": "ΕЕᎬꓰ",
    "F": "Ϝꓝ",
    "G": "ԌᏀᏳꓖ",
    "H": "ΗНᎻⲎꓧ",
    "J": "ͿЈᎫꓙ",
    "K": "ΚКᏦⲔꓗ",
    "L": "ᏞⳐꓡ",
    "M": "ΜϺМᎷⲘꓟ",
    "N": "ΝⲚꓠ",
    "O": "0ΘΟОѲӨՕⲞꓳ",
    "P": "ΡРᏢⲢꓑ",
    "Q": "Ԛ",
    "R": "ƦᎡᏒꓣ",
    "S": "ЅՏᏕᏚꓢ",
    "T": "ΤТᎢⲦꓔ",
    "U": "Սꓴ",
    "V": "ѴᏙꓦ",
    "W": "ԜᎳᏔꓪ",
    "X": "ΧХⲬꓫꞳ",
    "Y": "ΥУҮᎩᎽⲨꓬ",
    "Z": "ΖᏃꓜ",
    "a": "ɑαа",
    "ae": "ÆæӔӕ",
    "b": "ƄЬᏏ",
    "c": "ϲсⲥꮯ",
    "d": "ԁᏧꓒ",
    "e": "еҽꬲ",
    "f": "քꬵ",
    "g": "ƍɡց",
    "h": "ћһհᏂ",
    "i": "ıɩιіӏᎥꙇꭵ",
    "j": "ȷϳј",
    "l": "1I|ƖǀΙІӀⲒꓲ",
    "n": "ηոռ",
    "o": "ɵθοσоѳөօᴑⲟꬽ",
    "oe": "Œœ",
    "p": "ρрⲣ",
    "q": "ԛգզ",
    "r": "гᴦⲅꭇꭈꮁ",
    "s": "ƽѕꮪ",
    "u": "υսꞟ",
    "v": "νѵꮩ",
    "w": "ɯѡԝաꮃ",
    "x": "х",
    "y": "ɣγуү",
    "z": "ꮓ",
}
"""Characters that look like letters, digits or signs of ASCII, by Unicode's list of confusables (UTS #39).

It has letters of the Latin, Greek, Cyrillic, Armenian, Cherokee, Coptic and Lisu alphabets, dashes and
apostrophes. Characters that `_letter` finds by their names are left out.
"""

_TO_ASCII: Final = str.maketrans({each: ascii_ for ascii_, alike in LOOKALIKES.items() for each in alike})

_SMALL_CAPITAL: Final = "LATIN LETTER SMALL CAPITAL "


def looks_of(name: str) -> frozenset[str]:
    """The looks of a name as typed, in small letters and in capitals: names that look alike share one.

    A small letter and its capital may look like different letters: a Greek `η` like `n`, and its capital
    like `H`.
    """
    small = unicodedata.normalize("NFKD", name).casefold()
    return frozenset({_look(name), _look(small), _look(small.upper())})


def _look(text: str) -> str:
    """A text without its marks, in small letters of ASCII as far as its characters look like them."""
    text = text.translate(_TO_ASCII)
    if not text.isascii():
        letters = map(_letter, unicodedata.normalize("NFKD", text))
        text = "".join(letter for letter in letters if not _is_mark(letter)).translate(_TO_ASCII)
    return text.casefold()


@lru_cache(maxsize=1024)
def _letter(character: str) -> str:
    """The letter without a stroke, hook or the like, by its name in Unicode: `o` for `ø`, `a` for `ᴀ`."""
    name = unicodedata.name(character, "").partition(" WITH ")[0]
    if name.startswith(_SMALL_CAPITAL):
        name = f"LATIN SMALL LETTER {name.removeprefix(_SMALL_CAPITAL)}"
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return character


def _is_mark(character: str) -> bool:
    """Whether a character is a mark on a letter; the vowel signs of Indian scripts are not."""
    return unicodedata.combining(character) > 0 or unicodedata.category(character) == "Me"
