"""Checks the page of operators in a browser: it lists all operators, searches and sorts without script errors.

    python3 catalogue.py CHROMIUM STRUCTURED_GEN OPERATORS_JSON FOLDER
"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys


class Rows(html.parser.HTMLParser):
    """Visible rows of the table, as lists of texts."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.count, self.is_hidden, self.is_count = [], "", False, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "tr":
            self.is_hidden = "hidden" in attributes
            if not self.is_hidden:
                self.rows.append([])
        elif tag in ("td", "th") and not self.is_hidden:
            self.rows[-1].append("")
        self.is_count = attributes.get("id") == "count"

    def handle_data(self, data):
        if self.is_count:
            self.count += data
        elif self.rows and self.rows[-1] and not self.is_hidden and data.strip():
            self.rows[-1][-1] += data


def look_at(chromium, page, query=""):
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
               "--virtual-time-budget=2000", "--dump-dom", f"file://{page}{query}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    complaints = re.findall(r"CONSOLE.*", ran.stderr)
    assert not complaints, complaints
    rows = Rows(ran.stdout)
    return rows.rows[0], rows.rows[1:], rows.count.strip()


def main(chromium, structured_gen, operators, folder):
    chromium = shutil.which(chromium)
    if not chromium:
        print("skipped: no chromium; on Debian, apt install chromium")
        return 77
    page = pathlib.Path(folder) / "operators.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([structured_gen, "docs", operators, "-o", page], check=True)
    schemas = subprocess.run([structured_gen, "list", operators], check=True, capture_output=True, text=True).stdout.split("\n")

    head, rows, count = look_at(chromium, page)
    assert head == ["Operator", "Schemas", "Variants", "Backends", "Dtypes", "Documentation", "Sources"], head
    assert count == f"{len(rows)} of {len(rows)}", count
    missing = [schema for schema in schemas if schema and not any(schema in row[1] for row in rows)]
    assert not missing, missing

    _, found, count = look_at(chromium, page, "?search=SOFTMAX%20meta&sort=schemas")
    assert 0 < len(found) < len(rows) and count == f"{len(found)} of {len(rows)}", (count, len(found))
    assert all("softmax" in " ".join(row).lower() for row in found), found
    _, by_backend, _ = look_at(chromium, page, "?sort=backends")
    backends = [row[3] for row in by_backend]
    assert len(backends) == len(rows) and backends == sorted(backends, key=str.lower), backends
    print(f"{len(rows)} operators listed, {len(found)} found")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
