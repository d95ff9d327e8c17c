// Language server: dispatches requests and notifications, and publishes diagnostics.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "background.h"
#include "diagnostics.h"
#include "documents.h"
#include "event_queue.h"
#include "locations.h"
#include "workspace.h"

namespace structured::lsp {

/// Result of a request, or the reason why there is none.
struct Answer {
  Json result = nullptr;
  std::optional<ErrorCode> error;
  std::string reason;
};
inline Answer failure(ErrorCode code, std::string reason) { return {nullptr, code, std::move(reason)}; }

/// Position that a request refers to.
struct AskedPlace {
  std::string path;
  std::size_t offset = 0;
};

class Server {
 public:
  /// `send` writes the body of a message.
  Server(EventQueue& events, Settings settings, std::function<void(const std::string&)> send);

  /// Runs until the client sends `exit` or its output ends. Returns the exit status: 0 if `shutdown` came before.
  int run();

 private:
  enum class Phase { fresh, initialized, shut_down, ended };

  void handle(Event event);
  void handle_request(const Request& request);
  void handle_notification(const Notification& notification);
  /// Performs pending work while no request is queued.
  void work();
  void publish();
  void report_progress();
  void load_project();

  Answer initialize(const Json& params);
  void initialized();
  void did_open(const JsonObject& params);
  void did_change(const JsonObject& params);
  void did_close(const JsonObject& params);
  void did_save(const JsonObject& params);
  void did_change_files(const JsonObject& params);
  Answer code_actions(const JsonObject& params);
  Answer hover(const JsonObject& params);
  Answer definition(const JsonObject& params);
  Answer implementations(const JsonObject& params);
  Answer references(const JsonObject& params);
  Answer completion(const JsonObject& params);
  Answer code_lenses(const JsonObject& params);
  Answer document_symbols(const JsonObject& params);
  Answer workspace_symbols(const JsonObject& params);
  Answer execute(const JsonObject& params);
  Answer status(const JsonObject& params);

  void log(int type, const std::string& message);
  using PlaceFunction = Json (*)(Workspace&, Locations&, const std::string&, std::size_t);
  using FileFunction = Json (*)(Workspace&, Locations&, const std::string&);
  Answer at_place(const JsonObject& params, PlaceFunction function);
  Answer of_file(const JsonObject& params, FileFunction function);
  /// Returns the position in `textDocument` and `position`; nullopt if the file is not open.
  std::optional<AskedPlace> asked_place(const JsonObject& params);
  std::string asked_path(const JsonObject& params);

  using RequestHandler = Answer (Server::*)(const JsonObject&);
  using NotificationHandler = void (Server::*)(const JsonObject&);
  static const std::map<std::string, RequestHandler>& request_handlers();
  static const std::map<std::string, NotificationHandler>& notification_handlers();

  EventQueue& events_;
  Settings settings_;
  std::function<void(const std::string&)> send_;
  Phase phase_ = Phase::fresh;
  bool was_shut_down_ = false;
  std::string root_;
  bool shows_progress_ = false;
  bool watches_files_ = false;
  int progress_token_ = 0;
  bool progress_is_open_ = false;
  int next_id_ = 1;
  unsigned published_ = 0;  ///< revision of the workspace that was last published
  Documents documents_;
  Locations locations_{documents_};
  Background background_;
  Workspace workspace_{documents_, background_};
  DiagnosticsSender diagnostics_;
};

}  // namespace structured::lsp
