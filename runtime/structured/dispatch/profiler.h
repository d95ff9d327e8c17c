#pragma once
// The layer `Profiler`: how long calls take, and what they call in their turn.
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "structured/core/export.h"
#include "structured/dispatch/layer.h"

namespace structured {

class ProfiledEvent;

/// What took how long. Threads may record into one profile at the same time; reading it then gives what is there.
class STRUCTURED_API Profile {
 public:
  struct Event {
    std::string name;                               ///< of an operator, or what a ProfiledRange is called
    bool is_operator;                               ///< no: a range
    std::vector<std::vector<std::int64_t>> shapes;  ///< of the tensors among the arguments, also in lists
    std::int64_t start;                             ///< nanoseconds of a steady clock
    std::int64_t duration;                          ///< nanoseconds
    std::uint32_t thread;                           ///< from 1 in the order in which threads came to be profiled
    std::uint32_t depth;                            ///< how many events of the thread it is within
  };

  /// In the order in which they ended. Thread-safe.
  std::vector<Event> events() const;

  /// As Chrome's tracing page, Perfetto and others read it: a JSON object with `traceEvents`. Thread-safe.
  void write_chrome_trace(std::ostream& out) const;

 private:
  friend class Profiler;
  friend class ProfiledRange;
  friend class ProfiledEvent;

  void add(Event event);

  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

/// Until the end of the scope, records the calls of this thread into a profile, also those that kernels make. Profilers
/// nest: the innermost records.
class STRUCTURED_API Profiler {
 public:
  /// `profile` outlives the object.
  explicit Profiler(Profile& profile);
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
  ~Profiler();

 private:
  Profile* const outer_;
  IncludeLayers include_;
};

/// Until the end of the scope, an event of one's own in the profile of this thread; nothing if there is none.
class STRUCTURED_API ProfiledRange {
 public:
  explicit ProfiledRange(std::string_view name);
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;
  ~ProfiledRange();

 private:
  ProfiledEvent* event_;
};

}  // namespace structured
