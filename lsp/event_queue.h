// What happens, in the order in which it is dealt with: messages of the client, results of the background.
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

/// May be used by several threads at once.
class EventQueue {
 public:
  /// A notification that cancels a request which still waits here takes its place.
  void push(Event event);

  /// The next event. Waits for one no longer than `most`.
  std::optional<Event> pop(std::chrono::milliseconds most);

  /// Whether a message waits.
  bool has_message();

 private:
  bool cancel(const Notification& notification);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
};

}  // namespace structured::lsp
