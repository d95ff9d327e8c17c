#!/usr/bin/env bash
# Builds the tests and benchmarks of the CUDA backend, and packs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
architectures='80-real;90' jobs=()
for argument; do
  case $argument in
    -h | --help)
      cat <<'END'
usage: ./dev cuda-pack [--architectures=LIST] [-jN]

Builds the tests and benchmarks of the CUDA backend for GPUs, which needs nvcc and no GPU, and makes build/cuda_pack.tar.gz.
On a machine with a GPU and a driver, `./dev test --cuda` runs the pack, or `tar -xzf cuda_pack.tar.gz && cuda_pack/run`.

  --architectures=LIST  as for CMAKE_CUDA_ARCHITECTURES (default: 80-real;90, that is code for 8.0 and 9.0, and PTX for
                        later ones). 80-virtual builds in the shortest time, and the driver translates the PTX
  -jN                   N commands at once (default: the number of processors)
END
      exit
      ;;
    --architectures=?*) architectures=${argument#*=} ;;
    --architectures=)
      echo 'dev: error: `cuda-pack`: expected a value after `--architectures`' >&2
      exit 2
      ;;
    -j*) jobs=("$argument") ;;
    *)
      printf 'dev: error: unknown argument `%s` for `cuda-pack`; see `./dev cuda-pack --help`\n' "$argument" >&2
      exit 2
      ;;
  esac
done
rm -f build/release/configured_by  # other architectures, perhaps
export STRUCTURED_PACK_ARCHITECTURES=$architectures  # read by the preset cuda_pack
./dev build --preset=cuda-pack "${jobs[@]}"
exec python3 test/cuda/pack/make_pack.py --build build/release --output build/cuda_pack.tar.gz \
  cuda_tests cuda_selected_test cuda_opening_test cuda_kernels_test cuda_replay_test cuda_blas_test cuda_cudnn_test \
  cuda_fourier_test mlp bench_cuda_kernels bench_cuda_calls
