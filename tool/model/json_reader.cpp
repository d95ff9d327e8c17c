#include "model/json_reader.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "model/range_text.h"

namespace structured::gen {

namespace {

using nlohmann::json;

std::string shorten(llvm::StringRef text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return text.str();
  return (text.take_front(longest) + "...").str();
}

std::string describe_value(const json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number with a fraction or exponent";
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return ("the string `" + llvm::Twine(shorten(*value.get_ptr<const std::string*>())) + "`").str();
}

std::string quoted_list(llvm::ArrayRef<llvm::StringRef> words) {
  std::string text;
  llvm::interleave(words, [&](llvm::StringRef word) { text += ("`" + word + "`").str(); }, [&] { text += ", "; });
  return text;
}

}  // namespace

std::string JsonReader::path() const {
  if (!parent_) return "$";
  if (key_.empty()) return (parent_->path() + llvm::Twine("[") + llvm::Twine(index_) + "]").str();
  return (parent_->path() + llvm::Twine(".") + key_).str();
}

void JsonReader::fail(const llvm::Twine& expected, const llvm::Twine& found) {
  if (!state_.error.empty()) return;
  state_.error = ("`" + llvm::Twine(path()) + "`: expected " + expected + ", found " + found).str();
}

void JsonReader::fail(const llvm::Twine& expected) { fail(expected, describe_value(value_)); }

bool JsonReader::expect_object() {
  if (value_.is_object()) return true;
  fail("an object");
  return false;
}

const json* JsonReader::find(llvm::StringRef key, bool is_required) {
  asked_.push_back(key);
  const auto& members = *value_.get_ptr<const json::object_t*>();
  const auto found = members.find(std::string_view(key));
  if (found != members.end()) return &found->second;
  if (is_required) fail("the key `" + key + "`", "none");
  return nullptr;
}

void JsonReader::reject_unknown_keys() {
  for (const auto& [key, value] : *value_.get_ptr<const json::object_t*>()) {
    if (llvm::is_contained(asked_, key)) continue;
    fail("no keys but " + quoted_list(asked_), "`" + llvm::Twine(shorten(key)) + "`");
    return;
  }
}

void JsonReader::expect_format(llvm::StringRef format, int64_t version) {
  std::string found_format;
  int64_t found_version = version;
  required("format", found_format);
  required("version", found_version);
  if (!state_.error.empty()) return;
  if (found_format != format) {
    state_.error = ("`$.format`: expected `" + format + "`, found `" + shorten(found_format) + "`").str();
  } else if (found_version != version) {
    state_.error = ("`$.version`: expected " + llvm::Twine(version) + ", found " + llvm::Twine(found_version)).str();
    if (found_version > version) state_.error += ", which a newer structured-gen wrote";
  }
}

std::size_t JsonReader::array_size() {
  if (value_.is_array()) return value_.size();
  fail("an array");
  return 0;
}

const json& JsonReader::element(std::size_t index) const { return (*value_.get_ptr<const json::array_t*>())[index]; }

std::optional<std::size_t> JsonReader::choice(llvm::ArrayRef<llvm::StringRef> names) {
  if (const auto* text = value_.get_ptr<const std::string*>()) {
    const auto* found = llvm::find(names, llvm::StringRef(*text));
    if (found != names.end()) return found - names.begin();
  }
  fail("one of " + quoted_list(names));
  return std::nullopt;
}

void JsonReader::read(std::string& out) {
  if (const auto* text = value_.get_ptr<const std::string*>()) {
    out = *text;
  } else {
    fail("a string");
  }
}

void JsonReader::read(bool& out) {
  if (const auto* value = value_.get_ptr<const json::boolean_t*>()) {
    out = *value;
  } else {
    fail("a boolean");
  }
}

void JsonReader::read(int64_t& out) {
  if (const auto* natural = value_.get_ptr<const json::number_unsigned_t*>()) {
    if (*natural <= uint64_t{std::numeric_limits<int64_t>::max()}) {
      out = static_cast<int64_t>(*natural);
    } else {
      fail("an integer of 64 bits with a sign", std::to_string(*natural));
    }
  } else if (const auto* integer = value_.get_ptr<const json::number_integer_t*>()) {
    out = *integer;
  } else {
    fail("an integer");
  }
}

void JsonReader::read(std::variant<std::string, int64_t, bool>& out) {
  if (value_.is_string()) {
    read(out.emplace<std::string>());
  } else if (value_.is_boolean()) {
    read(out.emplace<bool>());
  } else if (value_.is_number_integer()) {
    read(out.emplace<int64_t>());
  } else {
    fail("a string, an integer or a boolean");
  }
}

void JsonReader::read(SourceRange& out) {
  if (const auto* text = value_.get_ptr<const std::string*>()) {
    if (std::optional<SourceRange> range = parse_range(*text, state_.file)) {
      out = std::move(*range);
      return;
    }
  }
  fail("a place such as `12:3-12:20`");
}

void JsonReader::read(Schema& out) {
  const auto* text = value_.get_ptr<const std::string*>();
  if (!text) return fail("a schema");
  llvm::Expected<Schema> schema = parse_schema(*text);
  if (schema) {
    out = std::move(*schema);
  } else {
    fail("a schema", describe_value(value_) + " (" + llvm::toString(schema.takeError()) + ")");
  }
}

llvm::Expected<std::string> json_document_format(llvm::StringRef text) {
  llvm::Expected<JsonDocument> document = JsonDocument::parse(text);
  if (!document) return document.takeError();
  JsonReader::State state;
  JsonReader reader(document->root(), state);
  std::string format;
  if (reader.expect_object()) reader.required("format", format);
  if (!state.error.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), state.error);
  return format;
}

}  // namespace structured::gen
