"""Tables of measurements as text and as Markdown: rows of cells, the header first."""


def as_text(rows, left_columns=2):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return '\n'.join('  '.join(cell.ljust(width) if i < left_columns else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def as_markdown(rows, left_columns=2):
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    lines.insert(1, '|' + ' --- |' * left_columns + ' --: |' * (len(rows[0]) - left_columns))
    return '\n'.join(lines)
