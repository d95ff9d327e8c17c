#include "event_queue.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::lsp {

/// A request cancelled before it is handled is answered at once when it reaches the front.
bool EventQueue::cancel(const Notification& notification) {
  const JsonObject* params = notification.params.getAsObject();
  const Json* id = params ? params->get("id") : nullptr;
  if (!id) return false;
  for (Event& event : events_) {
    auto* message = std::get_if<Message>(&event);
    auto* request = message ? std::get_if<Request>(message) : nullptr;
    if (!request || request->id != *id) continue;
    *message = BadMessage{request->id, ErrorCode::request_cancelled, "the request was cancelled"};
    return true;
  }
  return false;
}

void EventQueue::push(Event event) {
  {
    std::lock_guard lock(mutex_);
    auto* message = std::get_if<Message>(&event);
    auto* notification = message ? std::get_if<Notification>(message) : nullptr;
    if (notification && notification->method == "$/cancelRequest") {
      cancel(*notification);
      return;
    }
    events_.push_back(std::move(event));
  }
  arrived_.notify_one();
}

std::optional<Event> EventQueue::pop(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, most, [&] { return !events_.empty(); })) return std::nullopt;
  // Messages take precedence over results of the background thread.
  auto first = llvm::find_if(events_, [](const Event& event) { return !std::holds_alternative<Indexed>(event); });
  if (first == events_.end()) first = events_.begin();
  Event event = std::move(*first);
  events_.erase(first);
  return event;
}

bool EventQueue::has_message() {
  std::lock_guard lock(mutex_);
  return llvm::any_of(events_, [](const Event& event) { return !std::holds_alternative<Indexed>(event); });
}

}  // namespace structured::lsp
