#include "structured/program/json.h"

#include <limits>

namespace structured::program {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr int kMaxJsonDepth = 64;

/// Appends the path from `at` to `value`, and returns whether there is one.
bool append_path(const nlohmann::json& at, const nlohmann::json& value, std::string& path) {
  if (&at == &value) return true;
  const std::size_t length = path.size();
  if (at.is_object()) {
    for (auto member = at.begin(); member != at.end(); ++member) {
      path += (path.empty() ? "" : ".") + member.key();
      if (append_path(member.value(), value, path)) return true;
      path.resize(length);
    }
  } else if (at.is_array()) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      path += "[" + std::to_string(i) + "]";
      if (append_path(at[i], value, path)) return true;
      path.resize(length);
    }
  }
  return false;
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::string name, std::string_view skipped) : name_(std::move(name)) {
  STRUCTURED_CHECK(text.size() <= kMaxBytes, name_, ": expected at most ", kMaxBytes, " bytes of JSON, found ",
                   text.size());
  try {
    using Event = nlohmann::json::parse_event_t;
    root_ = nlohmann::json::parse(text, [&](int depth, Event event, nlohmann::json& parsed) {
      STRUCTURED_CHECK(depth <= kMaxJsonDepth, name_, ": expected at most ", kMaxJsonDepth,
                       " nested values, found more");
      return event != Event::key || skipped.empty() || parsed.get_ref<const std::string&>() != skipped;
    });
  } catch (const nlohmann::json::exception& error) {
    fail(name_, ": expected JSON, found: ", error.what());
  }
}

JsonValue JsonDocument::root() const { return {*this, root_}; }

std::string JsonDocument::path_of(const nlohmann::json& value) const {
  std::string path;
  append_path(root_, value, path);
  return path;
}

void JsonValue::fail_expected(std::string_view expected) const {
  fail_here("expected ", expected, ", found ", value_->type_name());
}

JsonValue JsonValue::operator[](std::string_view key) const {
  if (!value_->is_object()) fail_expected("an object with the member `" + std::string(key) + "`");
  const auto at = value_->find(key);
  if (at == value_->end()) fail_here("expected the member `", key, "`, found none");
  return {*document_, *at};
}

std::pair<std::string_view, JsonValue> JsonValue::only_member() const {
  if (!value_->is_object() || value_->size() != 1) fail_expected("an object with one member");
  return {value_->begin().key(), JsonValue(*document_, value_->begin().value())};
}

std::size_t JsonValue::size() const {
  if (!value_->is_array()) fail_expected("an array");
  return value_->size();
}

JsonValue JsonValue::operator[](std::size_t index) const {
  if (index >= size()) fail_here("expected more than ", index, " elements, found ", size());
  return {*document_, (*value_)[index]};
}

int64_t JsonValue::integer() const {
  if (!value_->is_number_integer()) fail_expected("an integer");
  if (value_->is_number_unsigned() &&
      value_->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    fail_here("expected an integer that int64 holds, found ", value_->get<uint64_t>());
  }
  return value_->get<int64_t>();
}

double JsonValue::real() const {
  if (value_->is_string()) {
    const std::string_view text = string();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (text == "Infinity") return infinity;
    if (text == "-Infinity") return -infinity;
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  }
  if (!value_->is_number()) fail_expected("a number");
  return value_->get<double>();
}

bool JsonValue::boolean() const {
  if (!value_->is_boolean()) fail_expected("a boolean");
  return value_->get<bool>();
}

std::string_view JsonValue::string() const {
  if (!value_->is_string()) fail_expected("a string");
  return value_->get_ref<const std::string&>();
}

}  // namespace structured::program
