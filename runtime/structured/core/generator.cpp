#include "structured/core/generator.h"

#include <mutex>
#include <utility>

#include "structured/core/ref_count.h"

namespace structured {

struct Generator::State {
  State(Device device, std::uint64_t seed) : device(device), seed(seed) {}

  detail::RefCount references;
  const Device device;
  std::mutex mutex;  // guards what follows
  std::uint64_t seed;
  std::uint64_t next = 0;
};

Generator::Generator(Device device, std::uint64_t seed) : state_(new State(device, seed)) {}

Generator::Generator(const Generator& other) : state_(other.state_) { state_->references.retain(); }

Generator& Generator::operator=(const Generator& other) {
  Generator copy(other);
  std::swap(state_, copy.state_);
  return *this;
}

Generator::~Generator() {
  if (state_->references.release()) delete state_;
}

Device Generator::device() const { return state_->device; }

std::uint64_t Generator::current_seed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->seed;
}

void Generator::set_current_seed(std::uint64_t seed) const {
  const std::lock_guard lock(state_->mutex);
  state_->seed = seed;
  state_->next = 0;
}

Generator::Range Generator::reserve(std::uint64_t count) const {
  const std::lock_guard lock(state_->mutex);
  return {state_->seed, std::exchange(state_->next, state_->next + count)};
}

}  // namespace structured
