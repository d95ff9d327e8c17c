#pragma once
// The state behind random operators: a seed and how much of its sequence is used up.
#include <cstdint>

#include "structured/core/device.h"
#include "structured/core/export.h"

namespace structured {

/// A counted handle; copies share the state. Thread-safe.
///
/// A kernel reserves as many blocks as it needs, and computes block i as philox(range.seed, range.first + i): the
/// numbers do not depend on how many threads do it.
class STRUCTURED_API Generator {
 public:
  static constexpr std::uint64_t kDefaultSeed = 67280421310721;

  /// Blocks of the sequence of `seed`, from `first` on. All that there is to say of a generator at one time.
  struct Range {
    std::uint64_t seed;
    std::uint64_t first;
  };

  explicit Generator(Device device, std::uint64_t seed = kDefaultSeed);
  Generator(const Generator& other);
  Generator& operator=(const Generator& other);
  ~Generator();

  Device device() const;
  std::uint64_t current_seed() const;
  /// Starts the sequence of `seed` from its beginning.
  void set_current_seed(std::uint64_t seed) const;
  /// Takes `count` blocks that no one else gets.
  Range reserve(std::uint64_t count) const;

  /// Returns the position in the sequence; `set_state` restores it.
  Range state() const;
  void set_state(Range state) const;

  bool is_same(const Generator& other) const { return state_ == other.state_; }

 private:
  struct State;
  State* state_;
};

/// The generator that random operators use where they are given none. Throws Error for devices that have none: cpu has
/// one; other backends bring theirs by `set_default_generator`.
STRUCTURED_API Generator default_generator(Device device);
/// Takes the place of the one that there was, if any. Thread-safe.
STRUCTURED_API void set_default_generator(const Generator& generator);
/// Starts all default generators anew, with this seed.
STRUCTURED_API void manual_seed(std::uint64_t seed);

}  // namespace structured
