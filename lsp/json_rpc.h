// JSON-RPC 2.0 messages.
#pragma once

#include <string>
#include <variant>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace structured::lsp {

using Json = llvm::json::Value;
using JsonObject = llvm::json::Object;
using JsonArray = llvm::json::Array;

enum class ErrorCode {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_failed = -32803,
  request_cancelled = -32800,
};

struct Request {
  Json id = nullptr;  ///< a number or a string
  std::string method;
  Json params = nullptr;
};

struct Notification {
  std::string method;
  Json params = nullptr;
};

/// Answer to a request of the server.
struct Response {
  Json id = nullptr;
};

/// Malformed message: the error to answer with, and the id if there was one.
struct BadMessage {
  Json id = nullptr;
  ErrorCode code = ErrorCode::parse_error;
  std::string reason;
};

using Message = std::variant<Request, Notification, Response, BadMessage>;

/// Parses the body of a message; malformed bodies give a BadMessage.
Message parse_message(llvm::StringRef body);

std::string response_text(const Json& id, Json result);
std::string error_text(const Json& id, ErrorCode code, llvm::StringRef reason);
std::string notification_text(llvm::StringRef method, Json params);
std::string request_text(Json id, llvm::StringRef method, Json params);

/// Converts text that may not be UTF-8, such as source text.
Json json_text(llvm::StringRef text);

}  // namespace structured::lsp
