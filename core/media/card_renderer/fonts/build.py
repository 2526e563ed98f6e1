"""Builds the fonts of the cards: `python build.py <node_modules> <this folder>`.

Needs fonttools and brotli, which the product does not need, and the npm packages in README.md. Each font becomes one
file per weight: the slices of a web font joined, without hints and layout tables. Their data is kept in a form for a
renderer without a shaping engine: advances, ink and kerned pairs in a `.metrics` file, emoji sequences as code points
of a private plane, in the order of `emoji.txt`.
"""

import io
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from math import ceil, floor
from pathlib import Path
from typing import Any

from fontTools.merge import Merger  # type: ignore[import-not-found]
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-not-found]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-not-found]
from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-not-found]
from fontTools.subset import Options, Subsetter  # type: ignore[import-not-found]
from fontTools.ttLib import TTFont, newTable  # type: ignore[import-not-found]
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable  # type: ignore[import-not-found]
from fontTools.ttLib.tables.ttProgram import Program  # type: ignore[import-not-found]

LATIN = ("latin", "latin-ext", "vietnamese")
ALL = (*LATIN, "greek", "greek-ext", "cyrillic", "cyrillic-ext")
FAMILIES = {
    "schibsted": ("schibsted-grotesk", LATIN),
    "source_sans": ("source-sans-3", ALL),
    "source_serif": ("source-serif-4", ALL),
    "zilla_slab": ("zilla-slab", LATIN),
    "fallback": ("noto-sans", ALL),
}
NAMES = {
    "schibsted": "Grotesque",
    "source_sans": "Humanist",
    "source_serif": "Serif",
    "zilla_slab": "Slab",
    "fallback": "Wide",
    "symbols": "Symbols",
    "emoji": "Emoji",
}
"""New names, since a changed font may not keep a name reserved by its licence."""
TEXT = ((0x2016, 0x2328), (0x25A0, 0x25FF), (0x260E, 0x260E), (0x2714, 0x2716), (0x2900, 0x2B0F))
"""Emoji shown as text unless a variation selector follows: arrows, squares, telephone, tick."""
WEIGHTS = (600, 700)
SYMBOLS = ("noto-sans-symbols/symbols-700", "noto-sans-symbols-2/symbols-400", "noto-sans-math/latin-400")
"""Fonts of symbols; each sign comes from the first font that has it."""
SIGNS = ((0x2016, 0x205E), (0x20A0, 0x20C0), (0x2100, 0x23FF), (0x2460, 0x24FF), (0x25A0, 0x27FF), (0x2900, 0x297F),
         (0x2B00, 0x2BFF))  # fmt: skip
# makes FreeType draw outlines unchanged: it autohints a font with a shorter program
NO_HINTS = bytes.fromhex("b801ff85b0048db00021")
SMALLEST_KERN = 0.006  # part of the size: less is invisible
PLANE = 0xF0000


def main(packages: Path, target: Path) -> None:
    for name, (package, subsets) in FAMILIES.items():
        folder = packages / "@fontsource" / package
        for weight in WEIGHTS:
            slices = [folder / "files" / f"{package}-{subset}-{weight}-normal.woff2" for subset in subsets]
            join([path for path in slices if path.exists()], target / f"{name}-{weight}.ttf")
        licence(slices[0], folder, target / f"{name}.LICENSE.txt")
    twemoji = packages / "twemoji-colr-font" / "twemoji.woff2"
    slices = []
    for part in SYMBOLS:
        package, rest = part.split("/")
        slices.append(packages / "@fontsource" / package / "files" / f"{package}-{rest}-normal.woff2")
    emojis = {code for code in TTFont(twemoji).getBestCmap() if not any(first <= code <= last for first, last in TEXT)}
    signs = {code for first, last in SIGNS for code in range(first, last + 1)} - emojis
    join(slices, target / "symbols-400.ttf", signs)
    licence(slices[0], packages / "@fontsource/noto-sans-symbols", target / "symbols.LICENSE.txt")
    emoji(twemoji, target)
    licence(twemoji, twemoji.parent, target / "emoji.LICENSE.txt")


def licence(font: Path, package: Path, target: Path) -> None:
    """Write the package's licence below the copyright line of the font."""
    owner = TTFont(font)["name"].getDebugName(0) or "Twemoji: copyright Twitter, Inc and other contributors"
    notice = "Changed for the cards: slices joined, subset, hints and layout tables removed, renamed (build.py)."
    target.write_text(f"{owner}\n{notice}\n\n{(package / 'LICENSE').read_text()}")


def join(slices: list[Path], target: Path, only: set[int] | None = None) -> None:
    kerns: dict[tuple[int, int], int] = {}
    stripped: list[TTFont] = []
    earlier: set[int] = set()
    for path in slices:
        font = TTFont(path)
        line_figures(font)
        for pair, value in pairs(font).items():
            kerns.setdefault(pair, value)
        codes = set(font.getBestCmap()) - earlier
        if only:
            codes &= only
        earlier |= codes
        stripped.append(strip(font, codes))
    files = []
    for font in stripped:
        data = io.BytesIO()
        font.save(data)
        data.seek(0)
        files.append(data)
    joined = Merger().merge(files) if len(files) > 1 else TTFont(files[0])
    shape(joined, target.stem)
    add_per_mille(joined)
    joined.save(target)
    rest = {pair: value for pair, value in kerns.items() if max(pair) <= 0xFFFF and earlier.issuperset(pair)}
    write_metrics(TTFont(target), rest, target)


def line_figures(font: TTFont) -> None:
    """Use lining figures, as high as capitals: Zilla Slab's default figures have descenders, which suit no headline."""
    if "GSUB" not in font:
        return
    table = font["GSUB"].table
    lookups = {
        i
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "lnum"
        for i in record.Feature.LookupListIndex
    }
    swaps: dict[str, str] = {}
    for index in lookups:
        for sub in table.LookupList.Lookup[index].SubTable:
            swaps |= getattr(getattr(sub, "ExtSubTable", sub), "mapping", {})
    for cmap in font["cmap"].tables:
        cmap.cmap = {code: swaps.get(glyph, glyph) for code, glyph in cmap.cmap.items()}


def strip(font: TTFont, codes: set[int]) -> TTFont:
    options = Options(hinting=False, layout_features=[], notdef_outline=True, glyph_names=False, name_IDs=[0, 1, 2])
    options.drop_tables += [
        "GPOS",
        "GSUB",
        "GDEF",
        "STAT",
        "meta",
        "DSIG",
        "FFTM",
        "gasp",
        "cvt ",
        "MATH",
        "kern",
        "vhea",
        "vmtx",
        "VORG",
    ]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    for tag in ("vhea", "vmtx", "VORG"):
        if tag in font:
            del font[tag]
    return font


def shape(font: TTFont, name: str) -> None:
    program = Program()
    program.fromBytecode(NO_HINTS)
    font["prep"] = newTable("prep")
    font["prep"].program = program
    font["name"].names = [record for record in font["name"].names if record.nameID in (0, 13)]
    family, weight = name.split("-")
    shown = f"Postloom Card {NAMES[family]}"
    for number, value in (
        (1, shown),
        (2, weight),
        (4, f"{shown} {weight}"),
        (6, f"PostloomCard-{NAMES[family]}{weight}"),
    ):
        font["name"].setName(value, number, 3, 1, 0x409)
    font.recalcTimestamp = False  # the same packages give the same bytes
    font["head"].created = font["head"].modified = 3_786_912_000  # 2024


def pairs(font: TTFont) -> dict[tuple[int, int], int]:
    """Return the kerning by characters, in units of the font."""
    if "GPOS" not in font:
        return {}
    table = font["GPOS"].table
    names: dict[str, list[int]] = {}
    for code, glyph in font.getBestCmap().items():
        names.setdefault(glyph, []).append(code)
    lookups = {
        i
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "kern"
        for i in record.Feature.LookupListIndex
    }
    pair_kerns: dict[tuple[int, int], int] = {}
    for index in sorted(lookups):
        mine: dict[tuple[int, int], int] = {}  # the first subtable of a lookup with a pair counts
        for sub in table.LookupList.Lookup[index].SubTable:
            sub = getattr(sub, "ExtSubTable", sub)
            if sub.LookupType != 2:
                continue
            for first, second, value in of_subtable(sub, set(names)):
                for left in names[first]:
                    for right in names[second]:
                        mine.setdefault((left, right), value)
        for pair, value in mine.items():
            pair_kerns[pair] = pair_kerns.get(pair, 0) + value
    least = SMALLEST_KERN * font["head"].unitsPerEm
    return {pair: value for pair, value in pair_kerns.items() if abs(value) >= least}


def of_subtable(sub: Any, glyphs: set[str]) -> Iterator[tuple[str, str, int]]:
    covered = [glyph for glyph in sub.Coverage.glyphs if glyph in glyphs]
    if sub.Format == 1:
        for first, pair_set in zip(sub.Coverage.glyphs, sub.PairSet, strict=True):
            if first in glyphs:
                for record in pair_set.PairValueRecord:
                    if record.SecondGlyph in glyphs:
                        yield first, record.SecondGlyph, getattr(record.Value1, "XAdvance", 0) or 0
        return
    seconds: dict[int, list[str]] = {}
    for glyph in glyphs:
        seconds.setdefault(sub.ClassDef2.classDefs.get(glyph, 0), []).append(glyph)
    for first in covered:
        records = sub.Class1Record[sub.ClassDef1.classDefs.get(first, 0)].Class2Record
        for kind, record in enumerate(records):
            value = getattr(record.Value1, "XAdvance", 0) or 0
            for second in seconds.get(kind, ()):
                yield first, second, value


def write_metrics(font: TTFont, kerns: dict[tuple[int, int], int], target: Path) -> None:
    """Write the metrics that layouts need beside the font, so that measuring a text opens no font.

    Compressed, little-endian: the number of signs, their code points (32 bits), advances and ink boxes (left, top,
    right, bottom from the origin on the baseline, downwards), then the number of kerned pairs, the pairs
    (left and right of 16 bits each) and their values. All lengths are 16 bits, in thousandths of the size.
    """
    units = font["head"].unitsPerEm
    glyphs, widths = font["glyf"], font["hmtx"]

    def part(value: int, rounding: Callable[[float], int] = round) -> int:
        return rounding(value * 1000 / units)

    codes = sorted(font.getBestCmap().items())
    numbers = [widths[name][0] for _, name in codes]
    boxes = []
    for _, name in codes:
        glyph = glyphs[name]
        if glyph.numberOfContours:
            boxes += [
                part(glyph.xMin, floor),
                part(-glyph.yMax, floor),
                part(glyph.xMax, ceil),
                part(-glyph.yMin, ceil),
            ]
        else:
            boxes += [0, 0, 0, 0]
    sorted_kerns = sorted(kerns.items())
    data = struct.pack("<I", len(codes)) + struct.pack(f"<{len(codes)}I", *(code for code, _ in codes))
    data += struct.pack(f"<{len(codes)}h", *map(part, numbers)) + struct.pack(f"<{len(boxes)}h", *boxes)
    data += struct.pack("<I", len(sorted_kerns)) + struct.pack(
        f"<{len(sorted_kerns)}I", *(left << 16 | right for (left, right), _ in sorted_kerns)
    )
    data += struct.pack(f"<{len(sorted_kerns)}h", *(part(value) for _, value in sorted_kerns))
    target.with_suffix(".metrics").write_bytes(zlib.compress(data, 9))


def emoji(path: Path, target: Path) -> None:
    font = TTFont(path)
    cmap = font.getBestCmap()
    codes: dict[str, int] = {}
    for code, glyph in cmap.items():
        codes.setdefault(glyph, code)
    sequences: dict[str, str] = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for sub in lookup.SubTable:
            for first, ligatures in sub.ligatures.items():
                for ligature in ligatures:
                    glyphs = [first, *ligature.Component]
                    if all(glyph in codes for glyph in glyphs):
                        key = "".join(chr(codes[glyph]) for glyph in glyphs).replace("\ufe0f", "")
                        sequences[key] = ligature.LigGlyph
    # single code points too, except digits, joiners and halves of flags
    for code, glyph in cmap.items():
        if code > 0xFF and code not in (0x200D, 0x20E3, 0xFE0F) and not 0x1F1E6 <= code <= 0x1F1FF and code < 0xE0000:
            sequences.setdefault(chr(code), glyph)
    private = {sequence: PLANE + index for index, sequence in enumerate(sorted(sequences))}
    table = CmapSubtable.newSubtable(12)
    table.platformID, table.platEncID, table.language = 3, 10, 0
    table.cmap = {code: sequences[sequence] for sequence, code in private.items()}
    font["cmap"].tables = [table]
    emoji_codes = set(table.cmap)
    strip(font, emoji_codes)
    give_boxes(font)
    shape(font, "emoji-400")
    font.save(target / "emoji-400.ttf")
    write_metrics(TTFont(target / "emoji-400.ttf"), {}, target / "emoji-400.ttf")
    lines = [" ".join(f"{ord(sign):x}" for sign in sequence) for sequence in sorted(sequences)]
    (target / "emoji.txt").write_text("\n".join(lines) + "\n")


def add_per_mille(font: TTFont) -> None:
    """Add the per mille sign, which no slice has: a percent sign with its right ring repeated."""
    cmap = font.getBestCmap()
    if 0x25 not in cmap or 0x2030 in cmap:
        return
    glyphs, (advance, bearing) = font["glyf"], font["hmtx"][cmap[0x25]]
    recording = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[cmap[0x25]].draw(recording)
    contours: list[list[Any]] = []
    contour: list[Any] = []
    for command in recording.value:
        contour.append(command)
        if command[0] == "closePath":
            contours.append(contour)
            contour = []

    def left(path: list[Any]) -> Any:
        return min(point[0] for _, points in path for point in points if point)

    ring = [path for path in contours if left(path) > advance * 0.5]
    right = max(point[0] for path in ring for _, points in path for point in points if point)
    shift = round(right - min(map(left, ring)) + advance * 0.03)
    pen = TTGlyphPen(None)
    moved = TransformPen(pen, (1, 0, 0, 1, shift, 0))
    for path in contours:
        for command, points in path:
            getattr(pen, command)(*points)
    for path in ring:
        for command, points in path:
            getattr(moved, command)(*points)
    glyphs["permille"] = pen.glyph()
    font.setGlyphOrder(list(glyphs.glyphOrder))
    font["hmtx"]["permille"] = (advance + shift, bearing)
    for table in font["cmap"].tables:
        table.cmap[0x2030] = "permille"


def give_boxes(font: TTFont) -> None:
    """Give each layered glyph the box of its layers, since the glyph itself is empty and would have no size."""
    glyphs = font["glyf"]
    for name, layers in font["COLR"].ColorLayers.items():
        shown = [glyphs[layer.name] for layer in layers if glyphs[layer.name].numberOfContours]
        if not shown:
            continue
        left, low = min(glyph.xMin for glyph in shown), min(glyph.yMin for glyph in shown)
        right, high = max(glyph.xMax for glyph in shown), max(glyph.yMax for glyph in shown)
        pen = TTGlyphPen(None)
        pen.moveTo((left, low))
        for corner in ((left, high), (right, high), (right, low)):
            pen.lineTo(corner)
        pen.closePath()
        glyphs[name] = pen.glyph()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
