// Minimal replacements for types of PyTorch's C++ library in signatures, with their names in 1.13.
#pragma once

#include <structured/annotate.h>

namespace std {
template <class T>
class vector {};
template <class... T>
class tuple {};
template <class T, decltype(sizeof(0)) N>
class array {};
template <class T>
class initializer_list {  // the compiler makes these, and knows their members
  const T* begin_;
  decltype(sizeof(0)) size_;
};
}  // namespace std
using int64_t = long;

namespace c10 {
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
template <class T>
class OptionalRef {};
template <class T>
class ArrayRef {
 public:
  constexpr ArrayRef() {}
  constexpr ArrayRef(const T& one);
  constexpr ArrayRef(const std::initializer_list<T>& elements);
};
template <class T>
class OptionalArrayRef {};
template <class T>
class List {};
template <class T>
class IListRef {};
template <class C>
class basic_string_view {
 public:
  constexpr basic_string_view(const C*) {}
};
using string_view = basic_string_view<char>;
class SymInt {
 public:
  SymInt() = default;
  SymInt(int64_t value);
};
using SymIntArrayRef = ArrayRef<SymInt>;
class Scalar {
 public:
  Scalar(int value);
  ~Scalar();
  template <class T>
  T to() const;
  double toDouble() const;
  bool isIntegral() const;
};
class Device {};
class Storage {};
class QScheme {};
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, Bool = 11, BFloat16 = 15 };
enum class Layout : signed char { Strided };
enum class MemoryFormat : signed char { Contiguous };
class TensorOptions {
 public:
  TensorOptions dtype(ScalarType dtype) const;
};
}  // namespace c10

namespace at {
using c10::ArrayRef;
using c10::Device;
using c10::Layout;
using c10::MemoryFormat;
using c10::QScheme;
using c10::Scalar;
using c10::ScalarType;
using c10::Storage;
class TensorBase {
 public:
  template <class T>
  T* data_ptr() const;
  template <class T>
  const T* const_data_ptr() const;
  template <class T, int64_t N>
  T* accessor() const;
};
class Tensor : public TensorBase {
 public:
  int64_t dim() const;
  int64_t size(int64_t dim) const;
  c10::ArrayRef<int64_t> sizes() const;
  c10::TensorOptions options() const;
  Tensor new_empty(c10::ArrayRef<int64_t> sizes) const;
  Tensor data() const;
  Tensor& fill_(const c10::Scalar& value) const;
  template <class T>
  T* data() const;
};
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  ~OptionalTensorRef() {}
};
class Dimname {};
class Generator {};
using TensorList = c10::ArrayRef<Tensor>;
using ITensorListRef = c10::IListRef<Tensor>;
using IOptTensorListRef = c10::IListRef<OptionalTensorRef>;
using OptionalScalarRef = c10::OptionalRef<c10::Scalar>;
using IntArrayRef = c10::ArrayRef<int64_t>;
using OptionalIntArrayRef = c10::OptionalArrayRef<int64_t>;
using OptionalSymIntArrayRef = c10::OptionalArrayRef<c10::SymInt>;
using DimnameList = c10::ArrayRef<Dimname>;

namespace impl {
class MetaBase {
 public:
  virtual ~MetaBase();
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, const c10::TensorOptions& options);
};
}  // namespace impl
class TensorIteratorConfig;
class TensorIteratorBase : public impl::MetaBase {
 public:
  const Tensor& maybe_get_output();
  ScalarType common_dtype() const;
  ScalarType dtype(int64_t operand = 0) const;
  int64_t numel() const;
  void build_unary_op(const TensorBase& out, const TensorBase& a);
  void build_unary_float_op(const TensorBase& out, const TensorBase& a);
  void build_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_comparison_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_unknown_op(const TensorBase& out, const TensorBase& a);
  void build(TensorIteratorConfig& config);
};
class TensorIteratorConfig {
 public:
  TensorIteratorConfig& add_output(const TensorBase& output);
  TensorIteratorConfig& add_input(const TensorBase& input);
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool value);
  TensorIteratorConfig& promote_integer_inputs_to_float(bool value);
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool value);
  TensorIteratorConfig& enforce_safe_casting_to_output(bool value);
  TensorIteratorConfig& resize_outputs(bool value);
};
}  // namespace at

namespace structured {
int64_t dynamic_size(int64_t least = 0, int64_t most = 1);
}  // namespace structured
