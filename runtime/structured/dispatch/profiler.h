#pragma once
// The layer `Profiler` records the duration of calls, nested calls included.
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "structured/base/export.h"
#include "structured/dispatch/layer.h"

namespace structured {

class ProfiledEvent;

/// Recorded durations. Several threads may record into one profile; a reader sees the events recorded so far.
class STRUCTURED_API Profile {
 public:
  struct Event {
    std::string name;                          ///< name of an operator or of a ProfiledRange
    bool is_operator;                          ///< false for a ProfiledRange
    std::vector<std::vector<int64_t>> shapes;  ///< of the tensors among the arguments, also in lists
    int64_t start;                             ///< nanoseconds of a steady clock
    int64_t duration;                          ///< nanoseconds
    uint32_t thread;                           ///< numbered from 1 in the order of first use
    uint32_t depth;                            ///< number of enclosing events on the thread
  };

  /// Events in the order of their ends. Thread-safe.
  std::vector<Event> events() const;

  /// Chrome trace format, which Perfetto reads too: a JSON object with `traceEvents`. Thread-safe.
  void write_chrome_trace(std::ostream& out) const;

 private:
  friend class Profiler;
  friend class ProfiledRange;
  friend class ProfiledEvent;

  void add(Event event);

  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

/// Records the calls of this thread, nested calls of kernels included, into a profile until the end of the scope.
/// Profilers nest: the innermost one records.
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

/// Records an event of the caller's choice until the end of the scope; no effect without a Profiler on this thread.
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
