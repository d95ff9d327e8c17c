// Binary search and membership tests on CUDA.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/type_promotion.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/fill.h>
#include <structured/ops/sort.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "cuda/element_loop.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

template <class T>
using Compared = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// Position of each value in a sorted row: before equal elements, or after them if `is_right`.
template <class T>
struct Search {
  using C = Compared<T>;
  const T* elements;
  const T* values;
  const int64_t* order;  ///< may be null
  int64_t* out;
  int64_t length;
  int64_t row_size;
  bool is_shared;
  bool is_right;
  cuda::FaultReporter reporter;
  __device__ void operator()(int64_t i) const {
    const int64_t start = is_shared ? 0 : i / row_size * length;
    const C value = cuda::detail::converted<C>(values[i]);
    int64_t at = 0;
    for (int64_t left = length; left > 0;) {
      const int64_t half = left / 2;
      int64_t place = at + half;
      if (order != nullptr) {
        place = order[start + place];
        if (place < 0 || place >= length) {
          reporter.index_out_of_range(place, 0, length, 0);
          return;
        }
      }
      const C element = cuda::detail::converted<C>(elements[start + place]);
      if (is_right ? !(element > value) : !(element >= value)) {
        at += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    out[i] = at;
  }
};

/// Whether each element is in a sorted row. NaN equals nothing.
template <class T>
struct FindEach {
  using C = Compared<T>;
  const T* elements;
  const T* sorted;
  bool* out;
  int64_t length;
  bool invert;
  __device__ void operator()(int64_t i) const {
    const C value = cuda::detail::converted<C>(elements[i]);
    int64_t at = 0;
    for (int64_t left = length; left > 0;) {
      const int64_t half = left / 2;
      if (cuda::detail::converted<C>(sorted[at + half]) < value) {
        at += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    out[i] = (at < length && cuda::detail::converted<C>(sorted[at]) == value) != invert;
  }
};

void search(const Tensor& sequence, const Tensor& self, bool is_right, const std::optional<Tensor>& sorter,
            const Tensor& out) {
  constexpr const char* name = "searchsorted";
  if (self.numel() == 0) return;
  if (sequence.numel() == 0) {
    Tensor result = out;
    structured::fill_(result, 0);
    return;
  }
  const ScalarType dtype = result_type(sequence, self);
  const Tensor sorted = dense(sequence, dtype);
  const Tensor values = dense(self, dtype);
  const Tensor order = sorter && sorter->defined() ? dense(*sorter, kLong) : Tensor();
  const Tensor result = writable(out, kLong);
  const bool is_shared = sequence.dim() == 1;
  visit<kRealTypes>(name, dtype, [&]<class T>() {
    for_each_element(
        self.numel(),
        Search<T>{sorted.data_ptr<T>(), values.data_ptr<T>(), order.defined() ? order.data_ptr<int64_t>() : nullptr,
                  result.data_ptr<int64_t>(), sequence.size(-1), is_shared ? 1 : self.size(-1), is_shared, is_right,
                  cuda::fault_reporter(name)});
  });
  store(out, result);
}

void find_each(const Tensor& elements, const Tensor& test_elements, bool invert, const Tensor& out) {
  if (elements.numel() == 0) return;
  const ScalarType dtype = result_type(elements, test_elements);
  const auto on_device = [&](const Tensor& tensor) {
    const Tensor result = empty({tensor.numel()}, out.options().dtype(dtype));
    const Tensor row = dense(tensor, tensor.scalar_type());
    copy_into(result, as_strided(row, {tensor.numel()}, {1}, row.storage_offset()));
    return result;
  };
  const Tensor wanted = on_device(elements);
  const Tensor sorted = std::get<0>(structured::sort(on_device(test_elements)));
  const Tensor result = writable(out, kBool);
  visit<kRealTypes | kBool>("isin", dtype, [&]<class T>() {
    for_each_element(elements.numel(), FindEach<T>{wanted.data_ptr<T>(), sorted.data_ptr<T>(), result.data_ptr<bool>(),
                                                   sorted.numel(), invert});
  });
  store(out, result);
}

}  // namespace

[[structured::impl("searchsorted.Tensor_out", "CUDA")]]
void searchsorted_cuda(const Tensor& sorted_sequence, const Tensor& self, [[maybe_unused]] bool out_int32, bool right,
                       std::optional<std::string_view> side, const std::optional<Tensor>& sorter, const Tensor& out) {
  search(sorted_sequence, self, right || side == "right", sorter, out);
}

[[structured::impl("bucketize.Tensor_out", "CUDA")]]
void bucketize_cuda(const Tensor& self, const Tensor& boundaries, [[maybe_unused]] bool out_int32, bool right,
                    const Tensor& out) {
  search(boundaries, self, right, std::nullopt, out);
}

[[structured::impl("isin.Tensor_Tensor_out", "CUDA")]]
void isin_cuda(const Tensor& elements, const Tensor& test_elements, [[maybe_unused]] bool assume_unique, bool invert,
               const Tensor& out) {
  find_each(elements, test_elements, invert, out);
}

[[structured::impl("isin.Tensor_Scalar_out", "CUDA")]]
void isin_scalar_cuda(const Tensor& elements, const Scalar& test_element, [[maybe_unused]] bool assume_unique,
                      bool invert, const Tensor& out) {
  find_each(elements, wrapped_scalar_tensor(test_element), invert, out);
}

[[structured::impl("isin.Scalar_Tensor_out", "CUDA")]]
void isin_element_cuda(const Scalar& element, const Tensor& test_elements, [[maybe_unused]] bool assume_unique,
                       bool invert, const Tensor& out) {
  find_each(wrapped_scalar_tensor(element), test_elements, invert, out);
}

}  // namespace structured::kernels
