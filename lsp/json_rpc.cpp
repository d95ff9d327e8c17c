#include "json_rpc.h"

#include "llvm/Support/raw_ostream.h"

namespace structured::lsp {
namespace {

/// Limit on nesting, above that of any valid message; the parser is recursive.
constexpr unsigned depth_limit = 256;

bool is_too_deep(llvm::StringRef text) {
  unsigned depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > depth_limit) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::string text_of(JsonObject message) {
  message["jsonrpc"] = "2.0";
  std::string text;
  llvm::raw_string_ostream(text) << Json(std::move(message));
  return text;
}

}  // namespace

Message parse_message(llvm::StringRef body) {
  if (is_too_deep(body)) return BadMessage{nullptr, ErrorCode::parse_error, "the message is nested too deeply"};
  llvm::Expected<Json> parsed = llvm::json::parse(body);
  if (!parsed) return BadMessage{nullptr, ErrorCode::parse_error, llvm::toString(parsed.takeError())};
  JsonObject* object = parsed->getAsObject();
  if (!object) return BadMessage{nullptr, ErrorCode::invalid_request, "expected an object"};
  Json* id = object->get("id");
  bool has_id = id && (id->getAsInteger() || id->getAsString());
  Json known_id = has_id ? *id : Json(nullptr);
  if (id && !has_id && id->kind() != Json::Null) {
    return BadMessage{nullptr, ErrorCode::invalid_request, "expected `id` to be an integer or a string"};
  }
  Json* method = object->get("method");
  if (!method) {
    if (object->get("result") || object->get("error")) return Response{std::move(known_id)};
    return BadMessage{std::move(known_id), ErrorCode::invalid_request, "expected a `method`"};
  }
  auto name = method->getAsString();
  if (!name) return BadMessage{std::move(known_id), ErrorCode::invalid_request, "expected `method` to be a string"};
  Json* params = object->get("params");
  Json arguments = params ? std::move(*params) : Json(nullptr);
  if (has_id) return Request{std::move(known_id), name->str(), std::move(arguments)};
  return Notification{name->str(), std::move(arguments)};
}

std::string response_text(const Json& id, Json result) {
  return text_of(JsonObject{{"id", id}, {"result", std::move(result)}});
}

std::string error_text(const Json& id, ErrorCode code, llvm::StringRef reason) {
  return text_of(
      JsonObject{{"id", id}, {"error", JsonObject{{"code", static_cast<int>(code)}, {"message", json_text(reason)}}}});
}

std::string notification_text(llvm::StringRef method, Json params) {
  return text_of(JsonObject{{"method", method}, {"params", std::move(params)}});
}

std::string request_text(Json id, llvm::StringRef method, Json params) {
  return text_of(JsonObject{{"id", std::move(id)}, {"method", method}, {"params", std::move(params)}});
}

Json json_text(llvm::StringRef text) { return Json(llvm::json::fixUTF8(text)); }

}  // namespace structured::lsp
