#!/usr/bin/env bash
# Formats sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case ${1-} in
  '') mode=(-i) ;;
  --check) mode=(--dry-run -Werror) ;;
  -h | --help)
    cat <<'END'
usage: ./dev format [--check]

Formats all C++ sources with clang-format 19.

  --check   changes no file; prints the differences and exits with 1 if there are any
END
    exit
    ;;
  *)
    printf 'dev: error: unknown argument `%s` for `format`; see `./dev format --help`\n' "$1" >&2
    exit 2
    ;;
esac
# Tracked and new files, without those that are deleted.
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cu' '*.cuh' | while IFS= read -r -d '' file; do
  [[ ! -f $file ]] || printf '%s\0' "$file"
done | xargs -0 -P "$(nproc)" -n 50 clang-format-19 "${mode[@]}" || {
  echo 'dev: error: formatting differs; run `./dev format`' >&2
  exit 1
}
