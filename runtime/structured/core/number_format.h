#pragma once
// How the numbers of one printed tensor look: all alike, so that columns line up.
#include <cstddef>
#include <string>

#include "structured/core/scalar.h"

namespace structured::detail {

/// Chosen in two steps: `observe` every number that will be printed, then `prepare`, `measure` every number once more,
/// then `format`. Complex numbers take two of these, for the real and the imaginary parts.
class NumberFormat {
 public:
  NumberFormat(bool is_floating, int precision) : is_floating_(is_floating), precision_(precision) {}

  void observe(const Scalar& value);
  void prepare();
  void measure(const Scalar& value);

  std::size_t width() const { return width_; }
  /// Padded on the left to width().
  std::string format(const Scalar& value) const;

 private:
  enum class Style { whole, fixed, scientific };

  std::string text(const Scalar& value) const;

  bool is_floating_;
  int precision_;
  Style style_ = Style::whole;
  std::size_t width_ = 1;
  // Covers finite numbers other than 0: others print equally in every style.
  bool all_whole_ = true;
  double least_ = 0;
  double greatest_ = 0;
};

}  // namespace structured::detail
