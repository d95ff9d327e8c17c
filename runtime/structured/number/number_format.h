#pragma once
// Common format of all numbers of a printed tensor, so that columns line up.
#include <cstddef>
#include <string>

#include "structured/number/scalar.h"

namespace structured::detail {

/// Call `observe` for every number to be printed, then `prepare`, then `measure` for every number, then `format`.
/// Complex tensors use two formats, one for the real and one for the imaginary parts.
class NumberFormat {
 public:
  NumberFormat(bool is_floating, int precision) : is_floating_(is_floating), precision_(precision) {}

  void observe(const Scalar& value);
  void prepare();
  void measure(const Scalar& value);

  std::size_t width() const { return width_; }
  /// The text of `value`, padded on the left to width().
  std::string format(const Scalar& value) const;

 private:
  enum class Style { whole, fixed, scientific };

  std::string text(const Scalar& value) const;

  bool is_floating_;
  int precision_;
  Style style_ = Style::whole;
  std::size_t width_ = 1;
  // Statistics of finite numbers other than 0; other numbers look the same in every style.
  bool all_whole_ = true;
  double least_ = 0;
  double greatest_ = 0;
};

}  // namespace structured::detail
