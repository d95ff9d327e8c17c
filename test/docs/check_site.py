"""Checks the links of the documentation site: every link to a file or to an anchor of the site leads to one.

usage: check_site.py SITE
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8", errors="replace")) for path in site.rglob("*.html")}
    faults, links = set(), 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or link.startswith("javascript:"):
                continue
            links += 1
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = urllib.parse.unquote(url.fragment)
            where = path.relative_to(site)
            if not target.exists():
                faults.add(f"{where}: no file {link}")
            elif anchor == "nested-classes":  # Doxygen 1.9 links to it and omits it
                continue
            elif anchor and target in pages and anchor not in pages[target].anchors:
                faults.add(f"{where}: no anchor {link}")
    print("\n".join(sorted(faults)) or f"{len(pages)} pages, {links} links")
    return bool(faults) or not pages


if __name__ == "__main__":
    sys.exit(main())
