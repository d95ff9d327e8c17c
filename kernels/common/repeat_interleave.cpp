// Repetitions whose number elements say.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace structured::kernels {

/// Each position of the vector `repeats`, as often as its element says: [0, 0, 2] for [2, 0, 1]. `output_size`, if
/// given, is the sum of `repeats`, which need not be known then before they are read.
[[structured::kernel("repeat_interleave.Tensor", "CPU", "Meta")]]
Tensor repeat_interleave_positions(const Tensor& repeats,
                                   [[structured::kwonly]] std::optional<int64_t> output_size = std::nullopt) {
  STRUCTURED_CHECK(repeats.dim() == 1, "repeat_interleave: expected `repeats` to be a vector, got ", repeats.dim(),
                   " dimensions");
  STRUCTURED_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
                   "repeat_interleave: expected `repeats` of dtype Int or Long, got ", repeats.scalar_type());
  STRUCTURED_CHECK(output_size.value_or(0) >= 0, "repeat_interleave: expected `output_size` of 0 or more, got ",
                   output_size.value_or(0));
  if (repeats.is_meta()) {
    STRUCTURED_CHECK(output_size, "repeat_interleave: expected `output_size`, which repeats on meta do not say");
    return detail::empty(*output_size, repeats.options());
  }
  return visit < kInt |
         kLong > ("repeat_interleave", repeats.scalar_type(), [&]<class T>() {
           const int64_t count = repeats.size(0);
           const int64_t step = repeats.stride(0);
           const T* const times = repeats.data_ptr<T>();
           int64_t total = 0;
           for (int64_t i = 0; i < count; ++i) {
             STRUCTURED_CHECK(times[i * step] >= 0, "repeat_interleave: expected `repeats` of 0 or more, got ",
                              times[i * step]);
             STRUCTURED_CHECK(!__builtin_add_overflow(total, int64_t{times[i * step]}, &total),
                              "repeat_interleave: the result would have more elements than 64 bits can count");
           }
           STRUCTURED_CHECK(output_size.value_or(total) == total,
                            "repeat_interleave: expected `output_size` to be the sum of ", "`repeats`, ", total,
                            ", got ", output_size.value_or(0));
           const Tensor result = detail::empty(total, repeats.options());
           T* to = result.data_ptr<T>();
           for (int64_t i = 0; i < count; ++i) to = std::fill_n(to, times[i * step], static_cast<T>(i));
           return result;
         });
}

}  // namespace structured::kernels
