#include "structured/dispatch/profiler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ostream>
#include <utility>

#include "structured/dispatch/fallback.h"
#include "structured/dispatch/value_tensors.h"
#include "structured/format/json_string.h"

namespace structured {
namespace {

constinit thread_local Profile* current_profile = nullptr;
constinit thread_local uint32_t current_depth = 0;

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

uint32_t thread_number() {
  static constinit std::atomic<uint32_t> count = 0;
  static constinit thread_local uint32_t number = 0;
  if (number == 0) {
    number = ++count;
  }
  return number;
}

std::vector<std::vector<int64_t>> shapes_of(const Stack& arguments) {
  std::vector<std::vector<int64_t>> shapes;
  for (const Value& value : arguments) {
    detail::visit_tensors_in(
        value, [&](const Tensor& tensor) { shapes.emplace_back(tensor.sizes().begin(), tensor.sizes().end()); });
  }
  return shapes;
}

// Chrome traces count in microseconds.
std::string microseconds(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  return text;
}

void write_event(std::ostream& out, const Profile::Event& event, int64_t origin) {
  out << R"({"ph":"X","pid":1,"tid":)" << event.thread << R"(,"cat":)" << (event.is_operator ? R"("op")" : R"("range")")
      << R"(,"name":)" << detail::json_string(event.name) << R"(,"ts":)" << microseconds(event.start - origin)
      << R"(,"dur":)" << microseconds(event.duration) << R"(,"args":{)";
  if (event.is_operator) {
    out << R"("shapes":[)";
    for (std::size_t i = 0; i < event.shapes.size(); ++i) {
      out << (i == 0 ? "[" : ",[");
      for (std::size_t d = 0; d < event.shapes[i].size(); ++d) {
        out << (d == 0 ? "" : ",") << event.shapes[i][d];
      }
      out << ']';
    }
    out << ']';
  }
  out << "}}";
}

}  // namespace

// Records an event from construction to destruction.
class ProfiledEvent {
 public:
  ProfiledEvent(Profile& profile, std::string_view name, bool is_operator, std::vector<std::vector<int64_t>> shapes)
      : profile_(profile),
        event_{std::string(name), is_operator, std::move(shapes), 0, 0, thread_number(), current_depth++} {
    event_.start = now();
  }
  ProfiledEvent(const ProfiledEvent&) = delete;
  ProfiledEvent& operator=(const ProfiledEvent&) = delete;
  ~ProfiledEvent() {
    event_.duration = now() - event_.start;
    --current_depth;
    profile_.add(std::move(event_));
  }

  static void record(const BoxedCall& call, Stack& stack) {
    if (current_profile == nullptr) {  // the layer was included without a Profiler
      return call.proceed(stack);
    }
    const ProfiledEvent event(*current_profile, call.op().name(), true, shapes_of(stack));
    call.proceed(stack);
  }

 private:
  Profile& profile_;
  Profile::Event event_;
};

std::vector<Profile::Event> Profile::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void Profile::add(Event event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

void Profile::write_chrome_trace(std::ostream& out) const {
  const std::vector<Event> events = this->events();
  int64_t origin = events.empty() ? 0 : events.front().start;
  for (const Event& event : events) {
    origin = std::min(origin, event.start);
  }
  out << R"({"displayTimeUnit":"ns","traceEvents":[)";
  for (std::size_t i = 0; i < events.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n");
    write_event(out, events[i], origin);
  }
  out << "\n]}\n";
}

Profiler::Profiler(Profile& profile) : outer_(current_profile), include_(Layer::Profiler) {
  [[maybe_unused]] static const bool is_registered = [] {
    register_fallback(Layer::Profiler, &ProfiledEvent::record, "the runtime's profiler", 0);
    return true;
  }();
  current_profile = &profile;
}

Profiler::~Profiler() { current_profile = outer_; }

ProfiledRange::ProfiledRange(std::string_view name)
    : event_(current_profile == nullptr ? nullptr : new ProfiledEvent(*current_profile, name, false, {})) {}

ProfiledRange::~ProfiledRange() { delete event_; }

}  // namespace structured
