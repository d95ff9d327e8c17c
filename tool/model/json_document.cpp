// Parses JSON text. The tree is built from the events of nlohmann's parser, because its own tree builder neither
// reports duplicate keys nor limits nesting.
#include <nlohmann/json.hpp>
#include <utility>

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "model/json_reader.h"

namespace structured::gen {

namespace {

using nlohmann::json;

constexpr std::size_t max_nesting = 64;

class TreeBuilder final : public nlohmann::json_sax<json> {
 public:
  json& root() { return root_; }
  std::string& error() { return error_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // does not occur in JSON text

  bool start_object(std::size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    const auto [position, is_new] = level.container->get_ptr<json::object_t*>()->try_emplace(key);
    level.key = std::move(key);
    level.slot = &position->second;
    if (is_new) return true;
    levels_.pop_back();
    return fail("each key once", "`" + llvm::Twine(position->first) + "` twice");
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    llvm::StringRef text = error.what();
    text = text.split("] ").second;
    text.consume_front("parse error at ");
    error_ = ("malformed JSON: " + llvm::Twine(llvm::json::fixUTF8(text.take_front(longest_message)))).str();
    return false;
  }

 private:
  static constexpr std::size_t longest_message = 300;

  struct Level {
    json* container;
    std::string key;  // in an object
    json* slot;
  };

  json& next_slot() {
    if (levels_.empty()) return root_;
    Level& level = levels_.back();
    if (level.container->is_object()) return *level.slot;
    return level.container->get_ptr<json::array_t*>()->emplace_back();
  }

  template <class T>
  bool add(T&& value) {
    next_slot() = std::forward<T>(value);
    return true;
  }

  bool open(json&& container) {
    if (levels_.size() == max_nesting) {
      return fail("no more than " + llvm::Twine(max_nesting) + " levels of nesting", "more");
    }
    json& slot = next_slot();
    slot = std::move(container);
    levels_.push_back({&slot, {}, nullptr});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  bool fail(const llvm::Twine& expected, const llvm::Twine& found) {
    error_ = ("`" + llvm::Twine(path()) + "`: expected " + expected + ", found " + found).str();
    return false;
  }

  std::string path() const {
    std::string path = "$";
    for (const Level& level : levels_) {
      if (level.container->is_object()) {
        path += ("." + llvm::Twine(level.key)).str();
      } else if (const std::size_t size = level.container->size()) {
        path += ("[" + llvm::Twine(size - 1) + "]").str();
      }
    }
    return path;
  }

  json root_;
  std::vector<Level> levels_;
  std::string error_;
};

}  // namespace

JsonDocument::JsonDocument(std::unique_ptr<json> root) : root_(std::move(root)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

llvm::Expected<JsonDocument> JsonDocument::parse(llvm::StringRef text) {
  TreeBuilder builder;
  if (!json::sax_parse(text.begin(), text.end(), &builder)) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), builder.error());
  }
  return JsonDocument(std::make_unique<json>(std::move(builder.root())));
}

}  // namespace structured::gen
