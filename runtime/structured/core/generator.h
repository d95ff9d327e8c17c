#pragma once
// State of random operators: a seed and the position in its sequence.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/device/device.h"

namespace structured {

/// Reference-counted handle; copies share the state. Thread-safe.
///
/// A kernel reserves as many blocks as it needs, and computes block i as philox(range.seed, range.first + i): the
/// results do not depend on the number of threads.
class STRUCTURED_API Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;

  /// Blocks of the sequence of `seed` from `first` on. Also serves as a snapshot of a generator's state.
  struct Range {
    uint64_t seed;
    uint64_t first;
  };

  explicit Generator(Device device, uint64_t seed = kDefaultSeed);
  Generator(const Generator& other);
  Generator& operator=(const Generator& other);
  ~Generator();

  Device device() const;
  uint64_t current_seed() const;
  /// Starts the sequence of `seed` from its beginning.
  void set_current_seed(uint64_t seed) const;
  /// Reserves the next `count` blocks for the caller.
  Range reserve(uint64_t count) const;

  /// Returns the position in the sequence; `set_state` restores it.
  Range state() const;
  void set_state(Range state) const;

  bool is_same(const Generator& other) const { return state_ == other.state_; }

 private:
  struct State;
  State* state_;
};

/// The generator of random operators that are called without one. Throws Error for devices without a default generator.
/// cpu has one; other backends install theirs with `set_default_generator`.
STRUCTURED_API Generator default_generator(Device device);
/// Replaces the default generator of the device of `generator`, if any. Thread-safe.
STRUCTURED_API void set_default_generator(const Generator& generator);
/// Restarts all default generators with this seed.
STRUCTURED_API void manual_seed(uint64_t seed);

}  // namespace structured
