#!/usr/bin/env bash
# demo.sh BUILD: shows what the generator derives and emits, with the programs in BUILD, from the root of this repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "$1")
operators=$build/kernels/structured_kernels.gen/operators.json

if [[ -t 1 ]]; then
  bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'
else
  bold='' dim='' plain=''
fi
section() { printf '\n%s── %s%s\n' "$bold" "$*" "$plain"; }
shell_line() { printf '%s$ %s%s\n' "$dim" "$*" "$plain"; }

# annotated_function FILE TEXT: the definition in FILE whose attribute contains TEXT, to the closing brace in the first
# column.
annotated_function() {
  awk -v text="$2" '
    index($0, text) { printing = 1 }
    printing { print }
    printing && /^}/ { exit }
  ' "$1"
}

printf 'operators.json is %s\n' "${operators#"$PWD/"}"

section "1. Schemas derived from the C++ signatures in kernels/"
shell_line "structured-gen list operators.json"
schemas=$("$build/bin/structured-gen" list "$operators")
count=$(wc -l <<<"$schemas")
sources=$(find kernels/meta kernels/cpu kernels/composite kernels/pointwise -name '*.cpp' -o -path '*/pointwise/*.h' | wc -l)
awk -v step=$((count / 10)) 'NR % step == 1 && ++printed <= 10 { print substr($0, 1, 120) }' <<<"$schemas"
printf '... %s schemas from %s sources\n' "$count" "$sources"

section "2. The two functions of upsample_nearest1d, and its emitted wrapper"
annotated_function kernels/meta/upsample.cpp '[[structured::meta("upsample_nearest1d"'
printf '\n'
annotated_function kernels/cpu/upsample.cpp '[[structured::impl("upsample_nearest1d.out"'
printf '\n'
shell_line "structured-gen explain --code upsample_nearest1d operators.json"
"$build/bin/structured-gen" explain --code upsample_nearest1d "$operators" | awk '/^$/ { rest = 1 } !rest'

section "3. An operator in one file: examples/quickstart"
shell_line "quickstart"
"$build/bin/quickstart"

section "4. A kernel that does not match its meta function"
copy=$build/demo
mkdir -p "$copy/meta" "$copy/cpu"
cp kernels/meta/upsample.cpp "$copy/meta"
cp kernels/cpu/interpolation.cpp "$copy/cpu"
sed 's/std::optional<double> scales,$/double scales,/' kernels/cpu/upsample.cpp >"$copy/cpu/upsample.cpp"
shell_line "structured-gen check meta/upsample.cpp cpu/upsample.cpp cpu/interpolation.cpp"
status=0 root=$PWD
found=$(cd "$copy" && "$build/bin/structured-gen" check --namespace=aten meta/upsample.cpp cpu/upsample.cpp \
  cpu/interpolation.cpp -- -std=c++20 -I"$root/runtime" -I"$root/schema" -I"$root/kernels" 2>&1) || status=$?
head -n 7 <<<"$found"
[[ $status == 1 && $found == *'[structured-'* ]] || {
  printf 'demo: error: expected structured-gen check to find the mismatch and to exit with 1, got %s\n' "$status" >&2
  exit 1
}
printf '\n%s(exit status 1)%s\n' "$dim" "$plain"
