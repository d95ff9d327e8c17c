// Random permutations on CUDA: for a seed those of PyTorch 2.13 (ATen/native/cuda/Randperm.cu).
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/resize.h>
#include <structured/number/philox.h>
#include <structured/number/visit.h>
#include <structured/ops/sort.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "cuda/element_loop.cuh"
#include "cuda/random_numbers.cuh"

namespace structured::kernels {
namespace {

/// Keys whose bits outside of `mask` are 0.
struct Key {
  RandomInteger integer;
  int64_t mask;
  __device__ int64_t operator()(uint64_t word) const { return integer(word) & mask; }
};

/// Shuffles the elements whose keys are equal: D. E. Knuth, "The Art of Computer Programming", volume 2, algorithm P.
struct ShuffleEqualKeys {
  Generator::Range range;
  const int64_t* keys;
  int64_t* order;
  int64_t count;
  // An index that the compiler does not know would put the words into memory.
  static __device__ uint32_t word_of(const PhiloxBlock& block, uint64_t i) {
    return i < 2 ? (i == 0 ? block.words[0] : block.words[1]) : (i == 2 ? block.words[2] : block.words[3]);
  }
  __device__ void operator()(int64_t first) const {
    if (keys[first] != keys[first + 1] || (first != 0 && keys[first - 1] == keys[first])) return;
    int64_t last = first + 1;
    while (last + 1 < count && keys[last + 1] == keys[first]) ++last;
    PhiloxBlock block;
    uint64_t drawn = 0;
    for (int64_t i = last - first; i > 0; --i, ++drawn) {
      if (drawn % 4 == 0) block = philox(range.seed, range.first + drawn / 4, static_cast<uint64_t>(first));
      const int64_t other = word_of(block, drawn % 4) % static_cast<uint32_t>(i + 1);
      const int64_t moved = order[first + i];
      order[first + i] = order[first + other];
      order[first + other] = moved;
    }
  }
};

}  // namespace

[[structured::kernel("randperm.generator_out", "CUDA")]]
Tensor& randperm_cuda(int64_t n, std::optional<Generator> generator, Tensor& out) {
  STRUCTURED_CHECK(n >= 0, "randperm: expected a number of 0 or more, got ", n);
  const int64_t sizes[] = {n};
  resize_output(out, sizes);
  visit<kIntegralTypes | kAllFloatingTypes>("randperm", out.scalar_type(), [&]<class T>() {
    const double most = std::numeric_limits<T>::is_integer ? static_cast<double>(std::numeric_limits<T>::max())
                                                           : std::ldexp(1.0, std::numeric_limits<T>::digits);
    STRUCTURED_CHECK(n == 0 || static_cast<double>(n - 1) <= most, "randperm: expected a number that dtype `",
                     out.scalar_type(), "` can count to, got ", n);
  });
  if (n == 0) return out;
  // The order of random keys with so many bits that all are different with a probability of 0.9. Keys of 32 and 64 bits
  // are compared with their signs.
  const DeviceGuard guard(out.device());
  const auto number = static_cast<double>(n);
  const int bits =
      std::min(64, static_cast<int>(std::ceil(std::log2(number - (6 * number * number + 1) / (12 * std::log(0.9))))));
  const RandomInteger integer =
      bits <= 32 ? RandomInteger{UINT32_MAX, INT32_MIN} : RandomInteger{UINT64_MAX, INT64_MIN};
  const int64_t mask = bits % 32 == 0 ? -1 : (int64_t{1} << bits) - 1;
  const Generator drawn_from = generator_for("randperm", generator, out);
  const Tensor keys = empty(sizes, out.options().dtype(kLong));
  draw_numbers<RandomWords<uint64_t>>(drawn_from, keys.data_ptr<int64_t>(), n, Key{integer, mask});
  const auto [sorted, order] = structured::sort(keys);
  for_each_element(n - 1, ShuffleEqualKeys{drawn_from.reserve(static_cast<uint64_t>((n + 3) / 4)),
                                           sorted.data_ptr<int64_t>(), order.data_ptr<int64_t>(), n});
  copy_into(out, order);
  return out;
}

}  // namespace structured::kernels
