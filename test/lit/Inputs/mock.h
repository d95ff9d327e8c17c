// Minimal replacements for types of the runtime and the standard library, so that tests parse no system headers.
#pragma once

#include <structured/annotate.h>

namespace std {
inline namespace versioned {
template <class T>
class allocator {};
template <class T, class A = allocator<T>>
class vector {};
template <class... T>
class tuple {};
template <class T, decltype(sizeof(0)) N>
class array {};
template <class T>
class char_traits {};
template <class C, class Traits = char_traits<C>>
class basic_string {};
template <class C, class Traits = char_traits<C>>
class basic_string_view {
 public:
  constexpr basic_string_view() {}
  constexpr basic_string_view(const C*) {}
};
using string = basic_string<char>;
using string_view = basic_string_view<char>;
struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};
template <class T>
class optional {
 public:
  constexpr optional() {}
  constexpr optional(nullopt_t) {}
  constexpr optional(T) {}
};
}  // namespace versioned
template <class T>
class initializer_list {  // the compiler makes these, and knows their members
  const T* begin_;
  decltype(sizeof(0)) size_;
};
using int64_t = long;
}  // namespace std
using std::int64_t;

namespace structured {

class Tensor {
 public:
  void fill(double value);
  int64_t dim() const;
  int64_t size(int64_t d) const;
};

class Scalar {
 public:
  Scalar(int value);
  Scalar(double value);
  Scalar(bool value);
};

template <class T>
class ArrayRef {
 public:
  constexpr ArrayRef() {}
  constexpr ArrayRef(const T& one);
  constexpr ArrayRef(const std::initializer_list<T>& elements);
};
using IntArrayRef = ArrayRef<int64_t>;
class OptionalIntArrayRef {
 public:
  constexpr OptionalIntArrayRef() {}
  constexpr OptionalIntArrayRef(std::nullopt_t) {}
  constexpr OptionalIntArrayRef(const std::initializer_list<int64_t>& elements);
};
using TensorList = ArrayRef<Tensor>;

enum class ScalarType : signed char { Byte = 0, Long = 4, Float = 6, Bool = 11 };
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kLong = ScalarType::Long;
enum class Layout : signed char { Strided };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast };
namespace Reduction {
enum Reduction { None, Mean, Sum };
}
enum class DeviceType : signed char { CPU, CUDA };
class Device {};
class TensorOptions {};

template <class T = void, int rank = -1, bool is_contiguous = false>
class RefinedTensor {
 public:
  RefinedTensor(const Tensor& tensor);
};
template <DeviceType device, class T = void, int rank = -1, bool is_contiguous = false>
class DeviceTensor {
 public:
  DeviceTensor(const Tensor& tensor);
};
template <int rank>
using RankedTensor = RefinedTensor<void, rank>;
template <class T, int rank = -1>
using DenseTensor = RefinedTensor<T, rank, true>;
using CPUTensor = DeviceTensor<DeviceType::CPU>;

class MetaBase {
 public:
  virtual ~MetaBase();
  virtual void set_output_raw_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);
  void set_output_names(int64_t i, IntArrayRef names);
  const Tensor& maybe_get_output(int64_t i = 0);
};

class TensorIteratorBase : public MetaBase {
 public:
  void build_binary_op(const Tensor& out, const Tensor& a, const Tensor& b);
};

}  // namespace structured

// Values that a meta function computes for impls.
namespace kernels {
struct WrappedDim {
  int64_t dim;
};
}  // namespace kernels
