#!/usr/bin/env bash
# Makes the documentation site.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [[ ${1-} == --help ]]; then
  cat <<'END'
usage: ./dev docs

Makes the documentation site in build/site/html: the pages in docs/, the catalogue of operators, and the API reference of
the runtime and of the operators. Installs Sphinx in build/site/venv. Fails if a link leads nowhere.
END
  exit
fi
fail() {
  printf 'dev: error: %s\n' "$*" >&2
  exit 1
}
site=build/site requirements=docs/site/requirements.txt
mkdir -p "$site"
if ! cmp -s "$requirements" "$site/venv/requirements.txt"; then
  echo "docs: installing Sphinx"
  rm -rf "$site/venv"
  python3 -m venv "$site/venv"
  "$site/venv/bin/pip" -q --disable-pip-version-check install -r "$requirements"
  cp "$requirements" "$site/venv/requirements.txt"
fi
echo "docs: API reference"
rm -rf "$site/extra" "$site/html"
mkdir -p "$site/extra"
doxygen docs/site/Doxyfile >"$site/doxygen.out" 2>&1 || {
  cat "$site/doxygen.out" >&2
  fail "doxygen failed"
}
echo "docs: pages"
"$site/venv/bin/sphinx-build" -q -W --keep-going -b html -c docs/site -d "$site/doctrees" . "$site/html" ||
  fail "sphinx-build failed"
python3 test/docs/check_site.py "$site/html" || fail "links of the site lead nowhere"
echo "docs: $site/html/README.html"
