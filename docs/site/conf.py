"""Configuration of Sphinx for the documentation site, which `./dev docs` builds.

The source folder is the root of the tree, so that links between pages work as they do in the repository. Links to files
that are not pages become downloads.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "Structured"
copyright = "the authors of Structured"  # noqa: A001
version = re.search(r"project\(Structured VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "test/conformance/README.md"]
myst_heading_anchors = 4
# Doxygen has its own pages, below api/.
html_extra_path = [str(ROOT / "build/site/extra")]
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_sidebars = {
    "**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html",
           "api_reference.html", "sidebar/scroll-end.html"]
}
html_theme = "furo"
html_title = f"Structured {version}"
html_theme_options = {"source_edit_link": "", "top_of_page_buttons": []}
html_show_sourcelink = False
html_copy_source = False
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # attributes; Pygments then highlights all but these

PAGES = {
    "Introduction": ["docs/writing_an_operator", "docs/overview", "docs/tensor"],
    "Language": ["docs/annotations", "docs/diagnostics", "docs/importing_operators", "docs/importing_yaml"],
    "Building": ["docs/cmake", "docs/other_build_systems", "docs/bazel", "docs/shipping", "docs/plugin", "docs/editors", "docs/stability"],
    "Runtime": ["docs/runtime", "docs/autograd", "docs/programs", "docs/quantization", "docs/edge", "docs/anatomy_of_a_call",
                "docs/debugging", "docs/checked_calls", "docs/cuda", "docs/cuda_operators"],
    "PyTorch and Python": ["docs/pip", "docs/pytorch", "docs/compilers", "docs/python", "docs/digits", "docs/conformance"],
    "Reference": ["docs/operators", "docs/performance"],
    "Project": ["CONTRIBUTING", "docs/architecture", "docs/extending", "CHANGELOG", "SECURITY", "test/conformance/README"],
}

LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)\)")


def with_contents(app, name, source):
    """Adds the table of contents to the first page, and replaces links to folders by their paths."""
    folder = (ROOT / name).parent

    def replaced(match):
        target = folder / match[2]
        if target.is_dir():
            return f"{match[1]} (`{target.resolve().relative_to(ROOT)}`)"
        return match[0]

    source[0] = LINK.sub(replaced, source[0])
    if name == root_doc:
        listed = {page for pages in PAGES.values() for page in pages}
        missing = sorted(page for page in app.env.found_docs if page not in listed and page != root_doc)
        if missing:
            raise ValueError(f"docs/site/conf.py: PAGES does not list {', '.join(missing)}")
        for caption, pages in PAGES.items():
            lines = "\n".join(f"/{page}" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def setup(app):
    app.connect("source-read", with_contents)
