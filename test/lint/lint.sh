#!/usr/bin/env bash
# Checks sources, comments and documentation, with the compile commands of build/release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'END'
usage: ./dev lint [--all] [--only=PART] [REVISION]

Checks the formatting of all C++ sources, the writing rules (test/lint/writing.py) in all comments, documentation and
messages, and the sources that differ from REVISION (default: HEAD) with clang-tidy.

  --all         clang-tidy for every source in schema/, tool/, plugin/, lsp/, runtime/, kernels/ and replay/
  --only=PART   format, writing or tidy; may be repeated
END
}
misuse() {
  printf 'dev: error: %s\n' "$*" >&2
  exit 2
}

# Sources for clang-tidy, without those that are deleted.
sources_to_check() {
  local patterns=({schema,tool,plugin,lsp,runtime,kernels,replay}/'*.cpp') file
  {
    if [[ -n $all ]]; then
      git ls-files --cached -- "${patterns[@]}"
    else
      git diff --name-only "$revision" -- "${patterns[@]}"
    fi
    git ls-files --others --exclude-standard -- "${patterns[@]}"
  } | while IFS= read -r file; do
    [[ ! -f $file ]] || printf '%s\n' "$file"
  done
}

check_tidy() {
  local sources skipped=() commands=build/release/compile_commands.json
  mapfile -t sources < <(sources_to_check)
  if ((${#sources[@]} == 0)); then
    echo "no source differs from $revision"
    return
  fi
  ./dev build structured_kernels_emit
  # The flags of other folders do not fit sources for CUDA, which are a part of the build in the tier cuda only.
  if ! grep -q '/kernels/cuda/' "$commands"; then
    mapfile -t skipped < <(printf '%s\n' "${sources[@]}" | grep '/cuda/')
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep -v '/cuda/')
  fi
  if ((${#skipped[@]})); then
    echo "not checked: ${#skipped[@]} sources of the CUDA backend, which build/release does not compile"
    ((${#sources[@]})) || return 0
  fi
  mkdir -p build/release/lint
  # Clang rejects these options of g++.
  sed -E 's/ (-fno-tree-loop-distribute-patterns|-fvect-cost-model=[^ ]*|--param=[^ ]*)//g' "$commands" \
    >build/release/lint/compile_commands.json
  printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 1 \
    clang-tidy-19 --quiet --warnings-as-errors='*' -p build/release/lint
}

all='' revision=HEAD parts=()
for argument; do
  case $argument in
    -h | --help)
      usage
      exit
      ;;
    --all) all=1 ;;
    --only=*)
      [[ ${argument#*=} =~ ^(format|writing|tidy)$ ]] ||
        misuse "\`lint\`: expected format, writing or tidy after \`--only=\`, got \`${argument#*=}\`"
      parts+=("${argument#*=}")
      ;;
    -*) misuse "unknown argument \`$argument\` for \`lint\`; see \`./dev lint --help\`" ;;
    *)
      git rev-parse --quiet --verify "$argument^{commit}" >/dev/null || misuse "\`lint\`: no such revision \`$argument\`"
      revision=$argument
      ;;
  esac
done
((${#parts[@]})) || parts=(format writing tidy)
failed=()
for part in "${parts[@]}"; do
  echo "lint: $part"
  case $part in
    format) test/lint/format.sh --check || failed+=(format) ;;
    writing) python3 test/lint/writing.py || failed+=(writing) ;;
    tidy) check_tidy || failed+=(tidy) ;;
  esac
done
((${#failed[@]} == 0)) || {
  printf 'dev: error: lint: %s\n' "${failed[*]}" >&2
  exit 1
}
