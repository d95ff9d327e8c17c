#include "driver/timing.h"

#include <algorithm>

#include "llvm/Support/Format.h"

namespace structured::gen {

void Timing::begin(std::string phase) {
  end();
  phase_ = std::move(phase);
  start_ = Clock::now();
}

void Timing::end() {
  if (!phase_.empty()) phases_.emplace_back(std::move(phase_), Clock::now() - start_);
  phase_.clear();
}

Timing::~Timing() {
  end();
  if (!out_) return;
  std::size_t width = 5;
  Clock::duration total{};
  for (const auto& [phase, duration] : phases_) {
    width = std::max(width, phase.size());
    total += duration;
  }
  phases_.emplace_back("total", total);
  for (const auto& [phase, duration] : phases_) {
    double milliseconds = std::chrono::duration<double, std::milli>(duration).count();
    *out_ << llvm::left_justify(phase, width) << llvm::format(" %9.1f ms\n", milliseconds);
  }
}

}  // namespace structured::gen
