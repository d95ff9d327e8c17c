#!/usr/bin/env bash
# run_pack.sh FILE: unpacks a pack of `./dev cuda-pack` beside it, and runs it.
set -euo pipefail
[[ -f $1 ]] || {
  printf 'dev: error: %s is missing; make it with ./dev cuda-pack, here or on a machine with nvcc\n' "$1" >&2
  exit 1
}
cd "$(dirname "$1")"
rm -rf cuda_pack
tar -xzf "$(basename "$1")"
exec cuda_pack/run
