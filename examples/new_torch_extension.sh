#!/usr/bin/env bash
# Writes a project with operators for PyTorch, a copy of examples/torch_extension.
set -euo pipefail

if [[ ${1-} == --help ]]; then
  cat <<'END'
usage: ./dev new-torch-extension NAME [FOLDER]

Writes a project with operators for PyTorch to FOLDER (default: NAME): an annotated kernel with a derivative, CMakeLists.txt,
pyproject.toml for scikit-build-core, and tests by PyTorch's opcheck and gradcheck. NAME is the name of the Python package.
It is a copy of examples/torch_extension.
END
  exit
fi
misuse() {
  printf 'dev: error: `new-torch-extension`: expected %s, got %s\n' "$@" >&2
  exit 2
}
(($# == 1 || $# == 2)) || misuse "NAME and perhaps FOLDER" "$# arguments"
name=$1 folder=${2-$1}
[[ $name =~ ^[a-z][a-z0-9_]*$ ]] || misuse "a name of lower-case letters, digits and underscores" "\`$name\`"
[[ ! -e $folder ]] || {
  printf 'dev: error: %s exists; remove it or name another folder\n' "$folder" >&2
  exit 1
}
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$(dirname "${BASH_SOURCE[0]}")/torch_extension"
find . -type f -not -path '*/__pycache__/*' -print0 | while IFS= read -r -d '' file; do
  mkdir -p "$folder/$(dirname "$file")"
  sed "s/my_ops/$name/g" "$file" >"$folder/${file//my_ops/$name}"
done
printf 'wrote %s; its README.md says how to build it\n' "$folder"
