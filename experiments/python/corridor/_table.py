# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables where pandas is not there: a list of dicts that prints itself as a table."""
import html
import shutil

_ROWS = 10  # shown, where there are more than twice as many; else all
_CELL = 32  # letters of a cell, at most
_GAP = "  "


def _word(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Table(list):
    """Rows, each a dict. `columns` are their keys, in order; `units` and `meanings` say what they are."""

    def __init__(self, rows=(), columns=(), units=None, meanings=None):
        super().__init__(rows)
        self.columns = list(columns) or list(dict.fromkeys(key for row in self for key in row))
        self.units, self.meanings = units or {}, meanings or {}

    def __getitem__(self, which):
        found = super().__getitem__(which)
        return Table(found, self.columns, self.units, self.meanings) if isinstance(which, slice) else found

    def _shown(self):
        return self if len(self) <= 2 * _ROWS else self[:_ROWS]

    def _said(self, left=()):
        """What the lines above do not have."""
        hidden = len(self) - len(self._shown())
        parts = [f"{hidden} more rows"] if hidden else []
        parts += ["more columns: " + ", ".join(left)] if left else []
        return "; ".join(parts)

    def __str__(self):
        if not self.columns or not self:
            return "no rows" + (f" of {', '.join(self.columns)}" if self.columns else "")
        width = shutil.get_terminal_size((80, 24)).columns
        lines, used, left = [""] * (1 + len(self._shown())), 0, []
        for number, key in enumerate(self.columns):
            values = [row.get(key) for row in self._shown()]
            cells = [key, *map(_word, values)]
            if max(map(len, cells)) > _CELL:
                cells = [cell if len(cell) <= _CELL else cell[:_CELL - 2] + ".." for cell in cells]
            wide = max(map(len, cells))
            if number > 0 and used + len(_GAP) + wide > width:
                left = self.columns[number:]
                break
            right = any(map(_is_number, values)) and all(value is None or _is_number(value) for value in values)
            gap = _GAP if number > 0 else ""
            lines = [line + gap + (cell.rjust(wide) if right else cell.ljust(wide)) for line, cell in zip(lines, cells)]
            used += len(gap) + wide
        said = self._said(left)
        return "\n".join([line.rstrip() for line in lines] + _wrapped(said, width))

    __repr__ = __str__

    def _repr_html_(self):
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(_word(cell))}</{tag}>" for cell in cells) + "</tr>"

        said = self._said()
        return ("<table><thead>" + row(self.columns, "th") + "</thead><tbody>"
                + "".join(row([one.get(key) for key in self.columns], "td") for one in self._shown()) + "</tbody></table>"
                + (f"<div>{html.escape(said)}</div>" if said else ""))


def _wrapped(text, width):
    import textwrap

    return textwrap.wrap(f"({text})", max(20, width), break_on_hyphens=False) if text else []
