#include "server.h"

#include "answers.h"
#include "code_actions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "uri.h"

namespace structured::lsp {
namespace {

using namespace std::chrono_literals;

constexpr int log_error = 1;
constexpr int log_info = 3;

const JsonObject no_params;

const JsonObject& object_of(const Json& value) {
  const JsonObject* object = value.getAsObject();
  return object ? *object : no_params;
}

const JsonObject& member(const JsonObject& object, llvm::StringRef name) {
  const JsonObject* value = object.getObject(name);
  return value ? *value : no_params;
}

}  // namespace

Server::Server(EventQueue& events, Settings settings, std::function<void(const std::string&)> send)
    : events_(events),
      settings_(std::move(settings)),
      send_(std::move(send)),
      background_([&events](Indexed result) { events.push(Event(std::move(result))); }) {}

const std::map<std::string, Server::RequestHandler>& Server::request_handlers() {
  static const std::map<std::string, RequestHandler> handlers{
      {"textDocument/codeAction", &Server::code_actions},
      {"textDocument/codeLens", &Server::code_lenses},
      {"textDocument/completion", &Server::completion},
      {"textDocument/definition", &Server::definition},
      {"textDocument/documentSymbol", &Server::document_symbols},
      {"textDocument/hover", &Server::hover},
      {"textDocument/implementation", &Server::implementations},
      {"textDocument/references", &Server::references},
      {"workspace/executeCommand", &Server::execute},
      {"workspace/symbol", &Server::workspace_symbols},
      {"structured/status", &Server::status},
  };
  return handlers;
}

const std::map<std::string, Server::NotificationHandler>& Server::notification_handlers() {
  static const std::map<std::string, NotificationHandler> handlers{
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didClose", &Server::did_close},
      {"textDocument/didSave", &Server::did_save},
      {"workspace/didChangeWatchedFiles", &Server::did_change_files},
  };
  return handlers;
}

int Server::run() {
  while (phase_ != Phase::ended) {
    bool is_busy = phase_ == Phase::initialized && workspace_.revision() != published_;
    auto next = workspace_.next_parse();
    auto wait = is_busy ? 0ms : next ? *next : 24h;
    if (std::optional<Event> event = events_.pop(wait)) {
      handle(std::move(*event));
    } else {
      work();
    }
  }
  return was_shut_down_ ? 0 : 1;
}

void Server::handle(Event event) {
  if (std::holds_alternative<EndOfInput>(event)) {
    phase_ = Phase::ended;
  } else if (auto* result = std::get_if<Indexed>(&event)) {
    workspace_.indexed(std::move(*result));
    report_progress();
  } else {
    const Message& message = std::get<Message>(event);
    if (const auto* bad = std::get_if<BadMessage>(&message)) {
      send_(error_text(bad->id, bad->code, bad->reason));
    } else if (const auto* request = std::get_if<Request>(&message)) {
      handle_request(*request);
    } else if (const auto* notification = std::get_if<Notification>(&message)) {
      handle_notification(*notification);
    }
  }
}

void Server::handle_request(const Request& request) {
  const auto answer = [&](Answer reply) {
    send_(reply.error ? error_text(request.id, *reply.error, reply.reason)
                      : response_text(request.id, std::move(reply.result)));
  };
  if (phase_ == Phase::shut_down) return answer(failure(ErrorCode::invalid_request, "the server is shut down"));
  if (request.method == "initialize") {
    if (phase_ != Phase::fresh) {
      return answer(failure(ErrorCode::invalid_request, "the server is initialized already"));
    }
    answer(initialize(request.params));
    load_project();
    return;
  }
  if (phase_ == Phase::fresh) {
    return answer(
        failure(ErrorCode::server_not_initialized, "expected `initialize` first, got `" + request.method + "`"));
  }
  if (request.method == "shutdown") {
    phase_ = Phase::shut_down;
    was_shut_down_ = true;
    background_.clear();
    return answer({});
  }
  auto handler = request_handlers().find(request.method);
  if (handler == request_handlers().end()) {
    return answer(failure(ErrorCode::method_not_found, "unknown method `" + request.method + "`"));
  }
  const JsonObject* params = request.params.getAsObject();
  if (!params && request.params.kind() != Json::Null) {
    return answer(failure(ErrorCode::invalid_params, "expected `params` to be an object"));
  }
  answer((this->*handler->second)(params ? *params : no_params));
}

void Server::handle_notification(const Notification& notification) {
  if (notification.method == "exit") {
    phase_ = Phase::ended;
    return;
  }
  if (phase_ != Phase::initialized) return;  // the client expects no answer
  if (notification.method == "initialized") return initialized();
  auto handler = notification_handlers().find(notification.method);
  if (handler != notification_handlers().end()) (this->*handler->second)(object_of(notification.params));
}

void Server::work() {
  if (phase_ != Phase::initialized) return;
  if (workspace_.parse_next()) {
    // Parses pending edits before publishing diagnostics that they may invalidate.
    if (events_.has_message()) return;
  }
  auto next = workspace_.next_parse();
  if (next && *next == 0ms) return;
  publish();
}

void Server::publish() {
  if (workspace_.revision() == published_) return;
  published_ = workspace_.revision();
  for (DiagnosticsSender::Message& message : diagnostics_.changes(workspace_.problems(), locations_)) {
    send_(notification_text("textDocument/publishDiagnostics", std::move(message.params)));
  }
}

void Server::log(int type, const std::string& message) {
  send_(notification_text("window/logMessage",
                          JsonObject{{"type", type}, {"message", json_text("structured-lsp: " + message)}}));
}

Answer Server::initialize(const Json& params) {
  const JsonObject& object = object_of(params);
  if (auto uri = object.getString("rootUri")) {
    root_ = locations_.path(*uri);
  } else if (auto path = object.getString("rootPath")) {
    root_ = real_path(*path);
  }
  const JsonArray* folders = object.getArray("workspaceFolders");
  if (root_.empty() && folders && !folders->empty()) {
    if (auto uri = object_of(folders->front()).getString("uri")) root_ = locations_.path(*uri);
  }
  const JsonObject& capabilities = member(object, "capabilities");
  shows_progress_ = member(capabilities, "window").getBoolean("workDoneProgress").value_or(false);
  const JsonObject& watching = member(member(capabilities, "workspace"), "didChangeWatchedFiles");
  watches_files_ = watching.getBoolean("dynamicRegistration").value_or(false);
  const JsonArray* encodings = member(capabilities, "general").getArray("positionEncodings");
  bool counts_bytes = encodings && llvm::is_contained(*encodings, Json("utf-8"));
  locations_.set_encoding(counts_bytes ? Encoding::utf8 : Encoding::utf16);
  for (const std::string& problem : read_settings(object.get("initializationOptions"), root_, settings_)) {
    log(log_error, problem);
  }
  phase_ = Phase::initialized;
  Answer answer;
  answer.result = JsonObject{
      {"serverInfo", JsonObject{{"name", "structured-lsp"}, {"version", STRUCTURED_VERSION}}},
      {"capabilities",
       JsonObject{
           {"positionEncoding", counts_bytes ? "utf-8" : "utf-16"},
           {"textDocumentSync", JsonObject{{"openClose", true}, {"change", 2}, {"save", true}}},
           {"hoverProvider", true},
           {"definitionProvider", true},
           {"implementationProvider", true},
           {"referencesProvider", true},
           {"completionProvider", JsonObject{{"triggerCharacters", JsonArray{"\"", ":"}}}},
           {"codeLensProvider", JsonObject{}},
           {"documentSymbolProvider", true},
           {"workspaceSymbolProvider", true},
           {"executeCommandProvider", JsonObject{{"commands", JsonArray{"structured.implementations"}}}},
           {"codeActionProvider", JsonObject{{"codeActionKinds", JsonArray{"quickfix", "refactor.rewrite"}}}},
       }}};
  return answer;
}

void Server::initialized() {
  if (!watches_files_) return;
  JsonArray watchers;
  for (const char* pattern : {"**/compile_commands.json", "**/structured_libraries.json", "**/signatures.json",
                              "**/*.lock", "**/*.{cpp,cc,cxx,cu,h,hh,hpp,cuh}"}) {
    watchers.push_back(JsonObject{{"globPattern", pattern}});
  }
  send_(request_text(
      next_id_++, "client/registerCapability",
      JsonObject{{"registrations",
                  JsonArray{JsonObject{{"id", "files"},
                                       {"method", "workspace/didChangeWatchedFiles"},
                                       {"registerOptions", JsonObject{{"watchers", std::move(watchers)}}}}}}}));
}

void Server::load_project() {
  Project project = lsp::load_project(root_, settings_);
  for (const std::string& problem : project.problems) log(log_error, problem);
  workspace_.load(std::move(project), settings_);
  for (const KnownLibrary& library : workspace_.libraries()) {
    for (const std::string& problem : library.problems) log(log_error, problem);
  }
  log(log_info, std::to_string(workspace_.libraries().size()) + " libraries, " + std::to_string(workspace_.indexing()) +
                    " sources, by `" + workspace_.project().build_dir + "`");
  report_progress();
}

void Server::report_progress() {
  if (!shows_progress_) return;
  std::size_t all = workspace_.indexing();
  std::size_t left = workspace_.waiting();
  auto progress = [&](JsonObject value) {
    send_(notification_text("$/progress", JsonObject{{"token", progress_token_}, {"value", std::move(value)}}));
  };
  if (left > 0 && !progress_is_open_) {
    progress_is_open_ = true;
    ++progress_token_;
    send_(request_text(next_id_++, "window/workDoneProgress/create", JsonObject{{"token", progress_token_}}));
    progress(JsonObject{{"kind", "begin"}, {"title", "reading kernels"}, {"percentage", 0}, {"cancellable", false}});
    return;
  }
  if (!progress_is_open_) return;
  if (left == 0) {
    progress_is_open_ = false;
    return progress(JsonObject{{"kind", "end"}, {"message", std::to_string(all) + " sources"}});
  }
  std::size_t done = all - left;
  progress(JsonObject{{"kind", "report"},
                      {"message", std::to_string(done) + "/" + std::to_string(all)},
                      {"percentage", static_cast<int64_t>(done * 100 / all)}});
}

std::string Server::asked_path(const JsonObject& params) {
  auto uri = member(params, "textDocument").getString("uri");
  return uri ? locations_.path(*uri) : std::string();
}

std::optional<AskedPlace> Server::asked_place(const JsonObject& params) {
  AskedPlace result;
  result.path = asked_path(params);
  Place place;
  Documents::Open* document = documents_.find(result.path);
  if (!document || !from_json(params.get("position"), place)) return std::nullopt;
  result.offset = document->document.offset(place, locations_.encoding());
  return result;
}

void Server::did_open(const JsonObject& params) {
  const JsonObject& document = member(params, "textDocument");
  std::string path = asked_path(params);
  auto text = document.getString("text");
  if (path.empty() || !text) return;
  // Opening a folder as a file would hide its contents.
  if (llvm::sys::fs::is_directory(path)) return log(log_error, "`" + path + "` is a folder and cannot be opened");
  documents_.open(path, text->str(), document.getInteger("version").value_or(0));
  workspace_.opened(path);
}

void Server::did_change(const JsonObject& params) {
  std::string path = asked_path(params);
  Documents::Open* open = documents_.find(path);
  const JsonArray* changes = params.getArray("contentChanges");
  if (!open || !changes) return log(log_error, "expected an open file in didChange, got `" + path + "`");
  open->version = member(params, "textDocument").getInteger("version").value_or(open->version);
  for (const Json& change : *changes) {
    const JsonObject& object = object_of(change);
    auto text = object.getString("text");
    if (!text) continue;
    Span span;
    if (from_json(object.get("range"), span)) {
      std::size_t begin = open->document.offset(span.begin, locations_.encoding());
      std::size_t end = open->document.offset(span.end, locations_.encoding());
      open->document.replace(begin, end, *text);
    } else {
      open->document = TextDocument(text->str());
    }
  }
  documents_.changed(path);
  workspace_.changed(path);
}

void Server::did_close(const JsonObject& params) {
  std::string path = asked_path(params);
  if (!documents_.find(path)) return;
  documents_.close(path);
  workspace_.closed(path);
  report_progress();
}

void Server::did_save(const JsonObject& params) {
  workspace_.written(asked_path(params));
  report_progress();
}

void Server::did_change_files(const JsonObject& params) {
  const JsonArray* changes = params.getArray("changes");
  if (!changes) return;
  bool reloads = false;
  for (const Json& change : *changes) {
    auto uri = object_of(change).getString("uri");
    if (!uri) continue;
    std::string path = locations_.path(*uri);
    llvm::StringRef name = llvm::sys::path::filename(path);
    reloads = reloads || name == "compile_commands.json" || name == "structured_libraries.json";
    if (!path.empty()) workspace_.written(path);
  }
  if (reloads) return load_project();
  report_progress();
}

Answer Server::code_actions(const JsonObject& params) {
  ActionRequest request;
  request.path = asked_path(params);
  if (request.path.empty() || !from_json(params.get("range"), request.span)) {
    return failure(ErrorCode::invalid_params, "expected `textDocument` and `range`");
  }
  if (const JsonArray* only = member(params, "context").getArray("only")) {
    for (const Json& kind : *only) {
      if (auto text = kind.getAsString()) request.kinds.push_back(text->str());
    }
  }
  workspace_.refresh_all();
  JsonArray actions;
  add_quick_fixes(request, workspace_, locations_, actions);
  add_missing_pieces(request, workspace_, locations_, actions);
  add_conversion(request, workspace_, locations_, actions);
  // `quickfix` includes `quickfix.this`.
  JsonArray wanted;
  for (Json& action : actions) {
    llvm::StringRef kind = object_of(action).getString("kind").value_or("");
    bool is_wanted = request.kinds.empty() || llvm::any_of(request.kinds, [&](llvm::StringRef only) {
                       return kind.consume_front(only) && (kind.empty() || kind.front() == '.');
                     });
    if (is_wanted) wanted.push_back(std::move(action));
  }
  return {std::move(wanted), std::nullopt, ""};
}

Answer Server::at_place(const JsonObject& params, PlaceFunction function) {
  std::optional<AskedPlace> place = asked_place(params);
  if (!place) return failure(ErrorCode::invalid_params, "expected a `position` in a `textDocument` that is open");
  return {function(workspace_, locations_, place->path, place->offset), std::nullopt, ""};
}

Answer Server::of_file(const JsonObject& params, FileFunction function) {
  std::string path = asked_path(params);
  if (path.empty()) return failure(ErrorCode::invalid_params, "expected a `textDocument`");
  return {function(workspace_, locations_, path), std::nullopt, ""};
}

Answer Server::hover(const JsonObject& params) { return at_place(params, lsp::hover); }
Answer Server::completion(const JsonObject& params) { return at_place(params, lsp::completion); }
Answer Server::code_lenses(const JsonObject& params) { return of_file(params, lsp::code_lenses); }
Answer Server::document_symbols(const JsonObject& params) { return of_file(params, lsp::document_symbols); }

Answer Server::definition(const JsonObject& params) {
  return at_place(params, [](Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset) {
    return functions_of(workspace, locations, path, offset, Sought::definition);
  });
}

Answer Server::implementations(const JsonObject& params) {
  return at_place(params, [](Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset) {
    return functions_of(workspace, locations, path, offset, Sought::implementations);
  });
}

Answer Server::references(const JsonObject& params) {
  return at_place(params, [](Workspace& workspace, Locations& locations, const std::string& path, std::size_t offset) {
    return functions_of(workspace, locations, path, offset, Sought::references);
  });
}

Answer Server::workspace_symbols(const JsonObject& params) {
  return {lsp::workspace_symbols(workspace_, locations_, params.getString("query").value_or("")), std::nullopt, ""};
}

/// Executes the command of a code lens: returns the locations of the impls.
Answer Server::execute(const JsonObject& params) {
  auto command = params.getString("command");
  if (command != llvm::StringRef("structured.implementations")) {
    return failure(ErrorCode::invalid_params, "expected the command `structured.implementations`");
  }
  const JsonArray* arguments = params.getArray("arguments");
  auto uri = arguments && arguments->size() == 2 ? (*arguments)[0].getAsString() : std::nullopt;
  if (!uri) return failure(ErrorCode::invalid_params, "expected a URI and a position as `arguments`");
  JsonObject place{{"textDocument", JsonObject{{"uri", *uri}}}, {"position", (*arguments)[1]}};
  return implementations(place);
}

/// Returns timings of the last steps and the amount of pending work, for measurements and bug reports. Performs pending
/// work first unless told otherwise.
Answer Server::status(const JsonObject& params) {
  if (params.getBoolean("completes").value_or(true)) {
    workspace_.complete_all();
    publish();
  }
  const Workspace::Timings& timings = workspace_.timings();
  return {JsonObject{{"waiting", static_cast<int64_t>(workspace_.waiting())},
                     {"parseMilliseconds", timings.parse_ms},
                     {"parseProcessorMilliseconds", timings.parse_processor_ms},
                     {"checkMilliseconds", timings.check_ms},
                     {"reusedHeaders", timings.reused_headers}},
          std::nullopt, ""};
}

}  // namespace structured::lsp
