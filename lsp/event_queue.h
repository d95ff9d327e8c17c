// Queue of events in processing order: messages of the client and results of the background thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "background.h"
#include "json_rpc.h"

namespace structured::lsp {

struct EndOfInput {};

using Event = std::variant<Message, Indexed, EndOfInput>;

/// Thread-safe.
class EventQueue {
 public:
  /// Adds an event. A notification that cancels a queued request replaces the request.
  void push(Event event);

  /// Returns the next event, after waiting at most `most`.
  std::optional<Event> pop(std::chrono::milliseconds most);

  /// Whether a message is queued.
  bool has_message();

 private:
  bool cancel(const Notification& notification);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
};

}  // namespace structured::lsp
