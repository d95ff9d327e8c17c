"""Checks the links of the documentation: files and headings exist, and so do files of this repository that pages name. The
contents of the documentation site list every page.

    links.py SOURCE_DIR
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
# A file of the repository in backquotes.
FILE = re.compile(r"`((?:bench|cmake|docs|editors|examples|kernels|lsp|plugin|python|replay|run|runtime|test|tool)/[\w./-]+\.\w+)`")


def prose(page):
    return BLOCK.sub("", page.read_text())


def anchor(heading):
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def faults(root, page):
    text = prose(page)
    for link in LINK.findall(text):
        if re.match(r"\w+:", link):
            continue
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{page}: links to {link}, which does not exist"
        elif heading and heading not in {anchor(found) for found in HEADING.findall(prose(target))}:
            yield f"{page}: links to {link}, which has no such heading"
    for name in FILE.findall(text):
        if not (root / name).exists():
            yield f"{page}: names {name}, which does not exist"


def unlisted(root, pages):
    """Pages in docs/ that the site's contents leave out."""
    listed = re.findall(r'"(docs/\w+)"', (root / "docs/site/conf.py").read_text())
    for page in pages:
        name = str(page.relative_to(root).with_suffix(""))
        if name.startswith("docs/") and name not in listed:
            yield f"docs/site/conf.py: PAGES does not list {name}"


def main(source_dir):
    root = pathlib.Path(source_dir)
    pages = [*root.glob("*.md"), *root.glob("docs/*.md")]
    found = [fault for page in pages for fault in faults(root, page)] + list(unlisted(root, pages))
    if found or len(pages) < 20:
        sys.exit("\n".join(found) or f"expected more than {len(pages)} pages")
    print(f"{len(pages)} pages")


main(*sys.argv[1:])
