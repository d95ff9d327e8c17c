#include "cpu/scatter_reduce.h"

#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include "math/accumulate_type.h"
#include "math/extrema.h"

namespace structured::kernels {
namespace {

struct Sum {
  template <class T>
  static T combine(T a, T b) {
    using W = AccumulateType<T>;
    return convert<T>(static_cast<W>(static_cast<W>(a) + static_cast<W>(b)));
  }
};

struct Product {
  template <class T>
  static T combine(T a, T b) {
    using W = AccumulateType<T>;
    return convert<T>(static_cast<W>(static_cast<W>(a) * static_cast<W>(b)));
  }
};

// The values of max_propagate_nan and min_propagate_nan by one branch: it predicts the entry that stays, while
// selections would wait for each entry to be loaded.
struct Maximum {
  template <class T>
  static T combine(T a, T b) {
    return is_nan(a) || a > b ? a : b;
  }
};

struct Minimum {
  template <class T>
  static T combine(T a, T b) {
    return is_nan(a) || a < b ? a : b;
  }
};

template <class T, class Op>
struct Combine {
  static void scattered(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count) {
    // Dense elements, the most common case, get a loop with a constant step.
    if (step == sizeof(T)) return scattered_by(elements, sizeof(T), table, offsets, count);
    scattered_by(elements, step, table, offsets, count);
  }
  STRUCTURED_ALWAYS_INLINE static void scattered_by(char* elements, int64_t step, char* table, const int64_t* offsets,
                                                    int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      T& place = *reinterpret_cast<T*>(table + offsets[i]);
      place = Op::combine(place, *reinterpret_cast<const T*>(elements + i * step));
    }
  }
  static void numbered(char* elements, int64_t step, char* table, const int64_t* places, int64_t count) {
    if (step == sizeof(T)) return numbered_by(elements, sizeof(T), table, places, count);
    numbered_by(elements, step, table, places, count);
  }
  STRUCTURED_ALWAYS_INLINE static void numbered_by(char* elements, int64_t step, char* table, const int64_t* places,
                                                   int64_t count) {
    T* const out = reinterpret_cast<T*>(table);
#pragma GCC unroll 4
    for (int64_t i = 0; i < count; ++i) {
      T& place = out[places[i]];
      place = Op::combine(place, *reinterpret_cast<const T*>(elements + i * step));
    }
  }
  static void row(char* elements, int64_t step, char* table, int64_t table_step, int64_t count) {
    if (step == sizeof(T) && table_step == sizeof(T)) {
      T* const places = reinterpret_cast<T*>(table);
      const T* const values = reinterpret_cast<const T*>(elements);
      for (int64_t i = 0; i < count; ++i) places[i] = Op::combine(places[i], values[i]);
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      T& place = *reinterpret_cast<T*>(table + i * table_step);
      place = Op::combine(place, *reinterpret_cast<const T*>(elements + i * step));
    }
  }
};

template <ScalarTypeSet Types, class Op>
IndexedLoop loop_of(const char* name, ScalarType dtype) {
  return visit<Types>(name, dtype, []<class T>() {
    using C = Combine<T, Op>;
    return IndexedLoop{C::scattered, C::row, C::numbered, sizeof(T)};
  });
}

}  // namespace

IndexedLoop scatter_reduce_loop(const char* name, ScatterReduce combination, ScalarType dtype) {
  switch (combination) {
    case ScatterReduce::sum:
      return loop_of<kAllTypes, Sum>(name, dtype);
    case ScatterReduce::product:
      return loop_of<kAllTypes, Product>(name, dtype);
    case ScatterReduce::maximum:
      return loop_of < kRealTypes | kBool, Maximum > (name, dtype);
    default:
      return loop_of < kRealTypes | kBool, Minimum > (name, dtype);
  }
}

}  // namespace structured::kernels
