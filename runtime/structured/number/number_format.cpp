#include "structured/number/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace structured::detail {

namespace {

std::string print(const char* format, int precision, double value) {
  const int length = std::snprintf(nullptr, 0, format, precision, value);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::snprintf(text.data(), text.size() + 1, format, precision, value);
  return text;
}

}  // namespace

void NumberFormat::observe(const Scalar& value) {
  if (!is_floating_) return;
  const double number = value.to<double>();
  if (!std::isfinite(number) || number == 0) return;
  const double magnitude = std::fabs(number);
  all_whole_ = all_whole_ && number == std::ceil(number);
  least_ = least_ == 0 ? magnitude : std::fmin(least_, magnitude);
  greatest_ = std::fmax(greatest_, magnitude);
}

void NumberFormat::prepare() {
  if (!is_floating_ || greatest_ == 0) return;
  // Fixed-point notation would lose the digits of small numbers beside large ones, or show only zeros.
  const bool is_wide = greatest_ / least_ > 1000 || greatest_ > 1e8 || (!all_whole_ && least_ < 1e-4);
  style_ = is_wide ? Style::scientific : all_whole_ ? Style::whole : Style::fixed;
}

void NumberFormat::measure(const Scalar& value) {
  if (is_floating_) {
    const double number = value.to<double>();
    if (!std::isfinite(number) || number == 0) return;
  }
  width_ = std::max(width_, text(value).size());
}

std::string NumberFormat::text(const Scalar& value) const {
  if (value.is_boolean()) return value.to<bool>() ? "True" : "False";
  if (!is_floating_) return std::to_string(value.to<int64_t>());
  const double number = value.to<double>();
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  switch (style_) {
    case Style::whole:
      return print("%.*f", 0, number) + '.';
    case Style::fixed:
      return print("%.*f", precision_, number);
    case Style::scientific:
      break;
  }
  return print("%.*e", precision_, number);
}

std::string NumberFormat::format(const Scalar& value) const {
  const std::string unpadded = text(value);
  return unpadded.size() < width_ ? std::string(width_ - unpadded.size(), ' ') + unpadded : unpadded;
}

}  // namespace structured::detail
