#pragma once
// JSON documents of saved programs. Only sources of this folder include this.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/export.h"

namespace structured::program {

class JsonValue;

/// A parsed document. Owns its values.
class STRUCTURED_PROGRAM_API JsonDocument {
 public:
  /// Parses `text`; `name` names the document in errors. Members named `skipped` are parsed and left out. Throws Error
  /// for malformed text, with the position, for more than 256 MiB, and for more than 64 nested values.
  JsonDocument(std::string_view text, std::string name, std::string_view skipped = {});

  JsonValue root() const;
  const std::string& name() const { return name_; }
  /// Path of a value of this document, for messages: `graph.nodes[3].inputs`.
  std::string path_of(const nlohmann::json& value) const;

 private:
  std::string name_;
  nlohmann::json root_;
};

/// A value in a document, which outlives it. Each accessor throws Error, with the document, the path, what was expected
/// and what was found.
class STRUCTURED_PROGRAM_API JsonValue {
 public:
  JsonValue(const JsonDocument& document, const nlohmann::json& value) : document_(&document), value_(&value) {}

  /// Member of an object.
  JsonValue operator[](std::string_view key) const;
  bool has(std::string_view key) const { return value_->is_object() && value_->contains(key); }
  /// The name and value of the only member of an object, which is how a union is stored.
  std::pair<std::string_view, JsonValue> only_member() const;
  /// Calls `function(key, value)` for each member of an object.
  template <class Function>
  void for_each_member(Function function) const {
    if (!value_->is_object()) fail_expected("an object");
    for (auto at = value_->begin(); at != value_->end(); ++at) {
      function(std::string_view(at.key()), JsonValue(*document_, at.value()));
    }
  }

  /// Number of elements of an array.
  std::size_t size() const;
  /// Element of an array.
  JsonValue operator[](std::size_t index) const;

  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->is_object(); }
  int64_t integer() const;
  /// A number, or the text `Infinity`, `-Infinity` or `NaN`, since JSON does not have these numbers.
  double real() const;
  bool boolean() const;
  std::string_view string() const;

  /// Throws Error: the document, the path, and `parts`.
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    const std::string path = document_->path_of(*value_);
    fail(document_->name(), ": ", path, path.empty() ? "" : ": ", parts...);
  }

 private:
  [[noreturn]] void fail_expected(std::string_view expected) const;

  const JsonDocument* document_;
  const nlohmann::json* value_;
};

}  // namespace structured::program
