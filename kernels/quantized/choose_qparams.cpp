#include "quantized/choose_qparams.h"

#include <structured/base/error.h>

#include <algorithm>
#include <cmath>

#include "shared/vectorized_loops.h"

namespace structured::kernels {

QuantizationParameters choose_qparams(const char* name, const Tensor& self, int64_t low, int64_t high) {
  // Scales below the smallest normal number of Half are not used.
  constexpr float kSmallestScale = 6.1e-5f;
  const auto* const elements = self.data_ptr<float>();
  float least = 0, most = 0;  // 0 is representable
  for (int64_t i = 0; i < self.numel(); ++i) {
    STRUCTURED_CHECK(std::isfinite(elements[i]), name, ": expected finite elements, got ", elements[i]);
    least = std::min(least, elements[i]);
    most = std::max(most, elements[i]);
  }
  double scale = (static_cast<double>(most) - least) / static_cast<double>(high - low);
  const auto single = static_cast<float>(scale);
  if (single == 0 || std::isinf(1 / single)) scale = 0.1;
  if (scale < static_cast<double>(kSmallestScale)) {
    const auto original = static_cast<float>(scale);
    scale = static_cast<double>(kSmallestScale);
    if (least == 0) {
      most = kSmallestScale * static_cast<float>(high - low);
    } else if (most == 0) {
      least = -kSmallestScale * static_cast<float>(high - low);
    } else {
      const float amplifier = kSmallestScale / original;
      least *= amplifier;
      most *= amplifier;
    }
  }
  // Computed from the end of the range that is affected less by rounding.
  const auto first = static_cast<double>(low), last = static_cast<double>(high);
  const double error_from_least = std::abs(first) - std::abs(least / scale);
  const double error_from_most = std::abs(last) - std::abs(most / scale);
  const double exact = error_from_least < error_from_most ? first - least / scale : last - most / scale;
  return {scale, static_cast<int64_t>(std::nearbyint(std::clamp(exact, first, last)))};
}

}  // namespace structured::kernels
