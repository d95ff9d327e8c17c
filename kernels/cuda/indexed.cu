#include "cuda/indexed.h"

#include <structured/base/error.h>
#include <structured/cuda/fault.h>
#include <structured/cuda/strided_walk.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <type_traits>

#include "cuda/element_loop.cuh"
#include "cuda/visit_size.cuh"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

/// Finds the table entry of an element. N is the largest number of indices.
template <int N>
struct IndexedPlaces {
  cuda::StridedWalk<N + 2> walk;
  char* elements;
  char* table;
  const char* index[N];
  int64_t sizes[N];
  int64_t strides[N];
  int32_t numbers[N];
  int32_t count;
  bool wraps;
  cuda::FaultReporter reporter;

  struct Place {
    char* element;
    char* entry;
  };
  /// Null addresses for an index out of range.
  __device__ Place find(int64_t i) const {
    int64_t offsets[N + 2] = {};
    walk.add_offsets(static_cast<uint32_t>(i), offsets);
    char* entry = table + offsets[1];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      if (k >= count) break;
      const int64_t given = *reinterpret_cast<const int64_t*>(index[k] + offsets[k + 2]);
      const int64_t number = wraps && given < 0 ? given + sizes[k] : given;
      if (static_cast<uint64_t>(number) >= static_cast<uint64_t>(sizes[k])) {
        reporter.index_out_of_range(given, wraps ? -sizes[k] : 0, sizes[k], numbers[k]);
        return {nullptr, nullptr};
      }
      entry += number * strides[k];
    }
    return {elements + offsets[0], entry};
  }
};

template <class W, int N, bool kIsLoad>
struct MoveIndexed {
  IndexedPlaces<N> places;
  __device__ void operator()(int64_t i) const {
    const auto place = places.find(i);
    if (place.entry == nullptr) return;
    auto* const element = reinterpret_cast<W*>(place.element);
    auto* const entry = reinterpret_cast<W*>(place.entry);
    if constexpr (kIsLoad) {
      *element = *entry;
    } else {
      *entry = *element;
    }
  }
};

/// Replaces the value at `at` by `combine(value)`, as one step for all threads. Elements of 1 or 2 bytes are changed
/// with the word that contains them.
template <class T, class Combine>
__device__ void change_atomically(T* at, const Combine& combine) {
  if constexpr (sizeof(T) < 4) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    auto* const word = reinterpret_cast<unsigned*>(address & ~std::uintptr_t{3});
    const unsigned shift = static_cast<unsigned>(address & 3) * 8;
    constexpr unsigned kMask = sizeof(T) == 1 ? 0xff : 0xffff;
    using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>;
    unsigned seen = *word;
    for (;;) {
      const T value = combine(__builtin_bit_cast(T, static_cast<Bits>(seen >> shift)));
      const unsigned next = (seen & ~(kMask << shift)) | (unsigned{__builtin_bit_cast(Bits, value)} << shift);
      const unsigned found = atomicCAS(word, seen, next);
      if (found == seen) return;
      seen = found;
    }
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    auto* const word = reinterpret_cast<Bits*>(at);
    Bits seen = *word;
    for (;;) {
      const Bits found = atomicCAS(word, seen, __builtin_bit_cast(Bits, combine(__builtin_bit_cast(T, seen))));
      if (found == seen) return;
      seen = found;
    }
  }
}

template <class T>
__device__ T combined(Indexed how, T a, T b) {
  using C = AccumulateType<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return how == Indexed::sum || how == Indexed::maximum ? a || b : a && b;
  } else if constexpr (is_complex_v<T>) {
    const C x = cuda::detail::converted<C>(a), y = cuda::detail::converted<C>(b);
    return cuda::detail::converted<T>(how == Indexed::sum ? x + y : x * y);
  } else {
    if (how == Indexed::sum || how == Indexed::product) {
      const C x = cuda::detail::converted<C>(a), y = cuda::detail::converted<C>(b);
      return cuda::detail::converted<T>(how == Indexed::sum ? x + y : x * y);
    }
    if (a != a || b != b) return a != a ? a : b;
    return (how == Indexed::maximum ? a < b : b < a) ? b : a;
  }
}

template <class T, int N>
struct CombineIndexed {
  IndexedPlaces<N> places;
  Indexed how;
  __device__ void operator()(int64_t i) const {
    const auto place = places.find(i);
    if (place.entry == nullptr) return;
    const T value = *reinterpret_cast<const T*>(place.element);
    T* const entry = reinterpret_cast<T*>(place.entry);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      if (how == Indexed::sum) {
        atomicAdd(entry, value);
        return;
      }
    }
    change_atomically(entry, [&](T old) { return combined(how, old, value); });
  }
};

/// One thread combines all elements in order: no atomic operation has 16 bytes.
template <int N>
struct CombineIndexedInOrder {
  IndexedPlaces<N> places;
  Indexed how;
  __device__ void operator()(int64_t) const {
    for (int64_t i = 0; i < places.walk.size; ++i) {
      const auto place = places.find(i);
      if (place.entry == nullptr) continue;
      auto* const entry = reinterpret_cast<Complex<double>*>(place.entry);
      *entry = combined(how, *entry, *reinterpret_cast<const Complex<double>*>(place.element));
    }
  }
};

template <int N>
void combine_indexed(const char* name, const IndexedPlaces<N>& places, Indexed how, ScalarType dtype) {
  STRUCTURED_CHECK(!is_complex(dtype) || how == Indexed::sum || how == Indexed::product, name,
                   ": expected a real dtype, got ", dtype);
  visit<kAllTypes>(name, dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, Complex<double>>) {
      if (places.walk.size != 0) for_each_element(1, CombineIndexedInOrder<N>{places, how});
    } else {
      for_each_element(places.walk.size, CombineIndexed<T, N>{places, how});
    }
  });
}

template <int N>
IndexedPlaces<N> places_of(const char* name, const IndexedOperands& operands, const IndexedDims& dims) {
  IndexedPlaces<N> places{};
  places.walk = {};
  for (std::size_t d = operands.sizes.size(); d-- > 0;) {
    int64_t steps[N + 2] = {operands.element_steps[d], operands.table_steps[d]};
    for (std::size_t k = 0; k < operands.indices; ++k) steps[k + 2] = operands.index_steps[k][d];
    places.walk.add_dim(operands.sizes[d], steps);
  }
  places.elements = operands.elements;
  places.table = operands.table;
  places.count = static_cast<int32_t>(operands.indices);
  places.wraps = dims.wraps;
  for (std::size_t k = 0; k < operands.indices; ++k) {
    places.index[k] = operands.index[k];
    places.sizes[k] = dims.sizes[k];
    places.strides[k] = dims.strides[k];
    places.numbers[k] = static_cast<int32_t>(dims.numbers[k]);
  }
  places.reporter = cuda::fault_reporter(name);
  return places;
}

}  // namespace

void run_indexed(const char* name, const IndexedOperands& operands, const IndexedDims& dims, Indexed how,
                 ScalarType dtype) {
  const auto run = [&]<int N>() {
    const IndexedPlaces<N> places = places_of<N>(name, operands, dims);
    if (how != Indexed::load && how != Indexed::store) return combine_indexed(name, places, how, dtype);
    visit_size(item_size_log2(dtype), [&]<class W>() {
      if (how == Indexed::load) {
        for_each_element(places.walk.size, MoveIndexed<W, N, true>{places});
      } else {
        for_each_element(places.walk.size, MoveIndexed<W, N, false>{places});
      }
    });
  };
  if (operands.indices <= 1) {
    run.template operator()<1>();
  } else {
    run.template operator()<IndexedOperands::kMaxIndices>();
  }
}

}  // namespace structured::kernels
