#pragma once
// C++ operators, indexing and iteration for tensors. They call the operators of the operator library through the
// dispatcher, so that layers see them: `2 * a[0] + b`, `a += 1`, `a.index({0, Slice(1, 3)})`, `for (Tensor row : a)`.
//
// A comparison is elementwise and returns a Bool tensor; `equal(a, b)` returns a bool. `&`, `|`, `^` and `~` are the
// bitwise operators, which are the logical ones for Bool; `&&` and `||` are not defined, because they could not
// evaluate their operands lazily.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_hash.h>
#include <structured/number/scalar.h>
#include <structured/ops/add.h>
#include <structured/ops/bitwise_and.h>
#include <structured/ops/bitwise_not.h>
#include <structured/ops/bitwise_or.h>
#include <structured/ops/bitwise_xor.h>
#include <structured/ops/copy.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/fill.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/index.h>
#include <structured/ops/index_put.h>
#include <structured/ops/le.h>
#include <structured/ops/logical_not.h>
#include <structured/ops/lt.h>
#include <structured/ops/mul.h>
#include <structured/ops/ne.h>
#include <structured/ops/neg.h>
#include <structured/ops/remainder.h>
#include <structured/ops/rsub.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/sub.h>
#include <structured/ops/unsqueeze.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace structured {

inline Tensor operator+(const Tensor& self) { return self; }
inline Tensor operator-(const Tensor& self) { return neg(self); }
inline Tensor operator~(const Tensor& self) { return bitwise_not(self); }
inline Tensor operator!(const Tensor& self) { return logical_not(self); }

// Each operator for two tensors and for a tensor and a number. `reversed` computes `number op tensor`.
#define STRUCTURED_TENSOR_OPERATOR(op, function, reversed)                                             \
  inline Tensor operator op(const Tensor& self, const Tensor& other) { return function(self, other); } \
  inline Tensor operator op(const Tensor& self, const Scalar& other) { return function(self, other); } \
  inline Tensor operator op(const Scalar& self, const Tensor& other) { return reversed; }
STRUCTURED_TENSOR_OPERATOR(+, add, add(other, self))
STRUCTURED_TENSOR_OPERATOR(-, sub, rsub(other, self))
STRUCTURED_TENSOR_OPERATOR(*, mul, mul(other, self))
STRUCTURED_TENSOR_OPERATOR(/, div, div(wrapped_scalar_tensor(self), other))
STRUCTURED_TENSOR_OPERATOR(%, remainder, remainder(self, other))
STRUCTURED_TENSOR_OPERATOR(&, bitwise_and, bitwise_and(other, self))
STRUCTURED_TENSOR_OPERATOR(|, bitwise_or, bitwise_or(other, self))
STRUCTURED_TENSOR_OPERATOR(^, bitwise_xor, bitwise_xor(other, self))
STRUCTURED_TENSOR_OPERATOR(==, eq, eq(other, self))
STRUCTURED_TENSOR_OPERATOR(!=, ne, ne(other, self))
STRUCTURED_TENSOR_OPERATOR(<, lt, gt(other, self))
STRUCTURED_TENSOR_OPERATOR(<=, le, ge(other, self))
STRUCTURED_TENSOR_OPERATOR(>, gt, lt(other, self))
STRUCTURED_TENSOR_OPERATOR(>=, ge, le(other, self))
#undef STRUCTURED_TENSOR_OPERATOR

// Compound assignment in place, also of temporaries such as `a[0] += 1`.
#define STRUCTURED_TENSOR_ASSIGNMENT(op, function)                                                           \
  inline Tensor& operator op(Tensor & self, const Tensor & other) { return function(self, other); }          \
  inline Tensor& operator op(Tensor & self, const Scalar & other) { return function(self, other); }          \
  inline Tensor operator op(Tensor&& self, const Tensor& other) { return std::move(function(self, other)); } \
  inline Tensor operator op(Tensor&& self, const Scalar& other) { return std::move(function(self, other)); }
STRUCTURED_TENSOR_ASSIGNMENT(+=, add_)
STRUCTURED_TENSOR_ASSIGNMENT(-=, sub_)
STRUCTURED_TENSOR_ASSIGNMENT(*=, mul_)
STRUCTURED_TENSOR_ASSIGNMENT(/=, div_)
STRUCTURED_TENSOR_ASSIGNMENT(%=, remainder_)
STRUCTURED_TENSOR_ASSIGNMENT(&=, bitwise_and_)
STRUCTURED_TENSOR_ASSIGNMENT(|=, bitwise_or_)
STRUCTURED_TENSOR_ASSIGNMENT(^=, bitwise_xor_)
#undef STRUCTURED_TENSOR_ASSIGNMENT

/// The elements `start`, `start + step`, ... before `stop` of a dimension, as an index. Negative positions count from
/// the end; positions out of range are clamped. `step` is positive.
struct Slice {
  constexpr Slice() = default;
  constexpr Slice(std::optional<int64_t> first, std::optional<int64_t> last = std::nullopt, int64_t distance = 1)
      : start(first), stop(last), step(distance) {}

  std::optional<int64_t> start;
  std::optional<int64_t> stop;
  int64_t step = 1;
};

/// One index of Tensor::index: a position, a Slice, a Long tensor of positions, a Bool tensor as a mask, `"..."` for as
/// many whole dimensions as are missing, or std::nullopt for a new dimension of size 1.
class TensorIndex {
 public:
  template <std::integral Position>
    requires(!std::same_as<Position, bool>)
  TensorIndex(Position position) : kind_(Kind::position), position_(static_cast<int64_t>(position)) {}
  TensorIndex(Slice slice) : kind_(Kind::slice), slice_(slice) {}
  TensorIndex(Tensor tensor) : kind_(Kind::tensor), tensor_(std::move(tensor)) {}
  TensorIndex(std::nullopt_t) : kind_(Kind::new_dimension) {}
  /// Throws Error for text other than `...`.
  TensorIndex(const char* text) : kind_(Kind::ellipsis) {
    STRUCTURED_CHECK(std::string_view(text) == "...", "index: expected `...`, got `", text, "`");
  }

 private:
  friend class IndexedTensor;
  enum class Kind : uint8_t { position, slice, tensor, new_dimension, ellipsis };

  // Dimensions that the index applies to. A mask applies to all of its own.
  int64_t dimensions() const {
    if (kind_ == Kind::tensor) return tensor_.dtype() == kBool || tensor_.dtype() == kByte ? tensor_.dim() : 1;
    return kind_ == Kind::position || kind_ == Kind::slice ? 1 : 0;
  }

  Kind kind_;
  int64_t position_ = 0;
  Slice slice_;
  Tensor tensor_;
};

/// libtorch's names of indices.
namespace indexing {
using structured::Slice;
using structured::TensorIndex;
inline constexpr std::nullopt_t None = std::nullopt;
inline constexpr const char* Ellipsis = "...";
}  // namespace indexing

/// The view that the positions and slices among some indices select, and the tensors among them.
class IndexedTensor {
 public:
  IndexedTensor(const Tensor& self, std::initializer_list<TensorIndex> indices) : view_(self) {
    int64_t missing = self.dim();
    for (const TensorIndex& index : indices) missing -= index.dimensions();
    STRUCTURED_CHECK(missing >= 0, "index: expected at most ", self.dim(), " indices, got ", self.dim() - missing);
    for (const TensorIndex& index : indices) apply(index, missing);
    while (!tensors_.empty() && !tensors_.back()) tensors_.pop_back();
  }

  Tensor read() const { return tensors_.empty() ? view_ : structured::index(view_, tensors_); }

  void write(const Tensor& value) {
    if (tensors_.empty()) {
      copy_(view_, value);
    } else {
      index_put_(view_, tensors_, value);
    }
  }
  void write(const Scalar& value) {
    if (tensors_.empty()) {
      fill_(view_, value);
    } else {
      index_put_(view_, tensors_, structured::full({}, value, view_.options()));
    }
  }

 private:
  void apply(const TensorIndex& index, int64_t missing) {
    switch (index.kind_) {
      case TensorIndex::Kind::position:
        view_ = select(view_, dim_, index.position_);
        return;
      case TensorIndex::Kind::slice:
        view_ = slice(view_, dim_, index.slice_.start, index.slice_.stop, index.slice_.step);
        keep(1);
        return;
      case TensorIndex::Kind::new_dimension:
        view_ = unsqueeze(view_, dim_);
        keep(1);
        return;
      case TensorIndex::Kind::ellipsis:
        keep(missing);
        return;
      case TensorIndex::Kind::tensor:
        tensors_.emplace_back(index.tensor_);
        dim_ += index.dimensions();
        return;
    }
  }

  // Leaves dimensions of the view without a tensor.
  void keep(int64_t count) {
    dim_ += count;
    tensors_.resize(tensors_.size() + static_cast<std::size_t>(count));
  }

  Tensor view_;
  int64_t dim_ = 0;                             // the view's dimension for the next index
  std::vector<std::optional<Tensor>> tensors_;  // as the operator `index` takes them
};

inline Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const {
  return IndexedTensor(*this, indices).read();
}

template <class Source>
const Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Source& value) const {
  IndexedTensor(*this, indices).write(value);
  return *this;
}

/// `self[index]`.
template <std::integral Index>
Tensor select_slice(const Tensor& self, Index index) {
  return select(self, 0, static_cast<int64_t>(index));
}

/// Assignments to temporaries, such as `a[0] = b`.
inline void assign_elements(Tensor& self, const Tensor& value) { copy_(self, value); }
inline void assign_elements(Tensor& self, const Scalar& value) { fill_(self, value); }

/// Iterator over the slices of a tensor along dimension 0: the rows of a matrix, as views.
class TensorRowIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Tensor;
  using difference_type = std::ptrdiff_t;
  using pointer = const Tensor*;
  using reference = Tensor;

  TensorRowIterator(const Tensor& tensor, int64_t row) : tensor_(&tensor), row_(row) {}
  Tensor operator*() const { return select(*tensor_, 0, row_); }
  TensorRowIterator& operator++() {
    ++row_;
    return *this;
  }
  TensorRowIterator operator++(int) {
    const TensorRowIterator before = *this;
    ++row_;
    return before;
  }
  friend bool operator==(const TensorRowIterator& a, const TensorRowIterator& b) { return a.row_ == b.row_; }

 private:
  const Tensor* tensor_;
  int64_t row_;
};

/// For `for (Tensor row : a)`. Iterators must not outlive the tensor. Throw Error for a tensor without dimensions.
inline TensorRowIterator begin(const Tensor& tensor) { return {tensor, 0}; }
inline TensorRowIterator end(const Tensor& tensor) { return {tensor, tensor.size(0)}; }

}  // namespace structured
