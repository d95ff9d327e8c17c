#include "model/json_writer.h"

#include <nlohmann/json.hpp>

#include "model/place.h"

namespace structured::gen {

using nlohmann::json;

json& JsonWriter::member(llvm::StringRef key) { return (*value_.get_ptr<json::object_t*>())[key.str()]; }
json& JsonWriter::append() { return value_.get_ptr<json::array_t*>()->emplace_back(); }
void JsonWriter::make_array() { value_ = json::array(); }
void JsonWriter::make_object() { value_ = json::object(); }

void JsonWriter::write(const std::string& value) { value_ = value; }
void JsonWriter::write(bool value) { value_ = value; }
void JsonWriter::write(std::int64_t value) { value_ = value; }
void JsonWriter::write(const std::variant<std::string, std::int64_t, bool>& value) {
  std::visit([&](const auto& alternative) { write(alternative); }, value);
}
void JsonWriter::write(const SourceRange& value) { value_ = place_text(value, state_.file); }
void JsonWriter::write(const Schema& value) { value_ = to_string(value); }

JsonDocumentWriter::JsonDocumentWriter(llvm::StringRef format, std::int64_t version)
    : root_(std::make_unique<json>(json::object())), writer_(*root_, state_) {
  writer_.required("format", format.str());
  writer_.required("version", version);
}
JsonDocumentWriter::~JsonDocumentWriter() = default;

std::string JsonDocumentWriter::text() const {
  // Bytes that are no UTF-8, in a comment say, are replaced: JSON cannot hold them.
  return root_->dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace structured::gen
