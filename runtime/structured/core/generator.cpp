#include "structured/core/generator.h"

#include <mutex>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/memory/ref_count.h"

namespace structured {

struct Generator::State {
  State(Device where, uint64_t first_seed) : device(where), seed(first_seed) {}

  detail::RefCount references;
  const Device device;
  std::mutex mutex;  // guards seed and next
  uint64_t seed;
  uint64_t next = 0;
};

Generator::Generator(Device device, uint64_t seed) : state_(new State(device, seed)) {}

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

uint64_t Generator::current_seed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->seed;
}

void Generator::set_current_seed(uint64_t seed) const {
  const std::lock_guard lock(state_->mutex);
  state_->seed = seed;
  state_->next = 0;
}

Generator::Range Generator::reserve(uint64_t count) const {
  const std::lock_guard lock(state_->mutex);
  return {state_->seed, std::exchange(state_->next, state_->next + count)};
}

Generator::Range Generator::state() const {
  const std::lock_guard lock(state_->mutex);
  return {state_->seed, state_->next};
}

void Generator::set_state(Range state) const {
  const std::lock_guard lock(state_->mutex);
  state_->seed = state.seed;
  state_->next = state.first;
}

namespace {

struct DefaultGenerators {
  std::mutex mutex;
  std::vector<Generator> generators{Generator(kCPU)};
};

// Never destroyed: operators may run until the end of the process.
DefaultGenerators& default_generators() {
  static auto& all = *new DefaultGenerators;
  return all;
}

Device with_index(Device device) { return device.has_index() ? device : Device(device.type(), 0); }

bool serves(const Generator& generator, Device device) {
  return device.type() == DeviceType::CPU ? generator.device().type() == DeviceType::CPU
                                          : with_index(generator.device()) == with_index(device);
}

}  // namespace

Generator default_generator(Device device) {
  DefaultGenerators& all = default_generators();
  const std::lock_guard lock(all.mutex);
  for (const Generator& generator : all.generators) {
    if (serves(generator, device)) return generator;
  }
  fail("there is no default generator for device `", device, "`; its backend provides one by set_default_generator");
}

void set_default_generator(const Generator& generator) {
  DefaultGenerators& all = default_generators();
  const std::lock_guard lock(all.mutex);
  for (Generator& known : all.generators) {
    if (serves(known, generator.device())) {
      known = generator;
      return;
    }
  }
  all.generators.push_back(generator);
}

void manual_seed(uint64_t seed) {
  DefaultGenerators& all = default_generators();
  const std::lock_guard lock(all.mutex);
  for (const Generator& generator : all.generators) generator.set_current_seed(seed);
}

}  // namespace structured
