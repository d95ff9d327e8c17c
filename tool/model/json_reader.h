// Checked reading of JSON documents into plain values.
//
// A function template in the namespace of a type describes its members once, for both JsonReader and
// JsonWriter:
//
//   template <class Archive>
//   void describe(Archive& archive, typename Archive::template Value<Member> member) {
//     archive.required("name", member.name);
//     archive.field("type", member.type);
//   }
//
// The first error is kept, with its position in the document (`$.declarations[3].name`) and what was expected and
// found. Further reads have no effect.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/schema.h"
#include "model/source_range.h"

namespace structured::gen {

/// A document as a tree. Keys are unique within their object, and nesting is limited.
class JsonDocument {
 public:
  /// Errors state line and column, or the path of a duplicate key.
  static llvm::Expected<JsonDocument> parse(llvm::StringRef text);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  const nlohmann::json& root() const { return *root_; }

 private:
  explicit JsonDocument(std::unique_ptr<nlohmann::json> root);
  std::unique_ptr<nlohmann::json> root_;
};

/// Reads one value of a document, which must outlive it.
class JsonReader {
 public:
  template <class T>
  using Value = T&;

  /// State that all readers of one document share.
  struct State {
    std::string error;  ///< first error; empty if there is none
    std::string file;   ///< file of source ranges that name none
  };
  JsonReader(const nlohmann::json& value, State& state) : value_(value), state_(state) {}

  /// Reads a member that must exist.
  template <class T>
  void required(llvm::StringRef key, T& out) {
    if (const nlohmann::json* found = find(key, true)) JsonReader(*found, *this, key, 0).read(out);
  }
  /// Reads a member that may be omitted; `out` has the default already. The third parameter is for the writer.
  template <class T>
  void field(llvm::StringRef key, T& out, const T& = T{}) {
    if (const nlohmann::json* found = find(key, false)) JsonReader(*found, *this, key, 0).read(out);
  }
  /// Sets the file of subsequent source ranges that name none.
  void places_in(llvm::StringRef file) { state_.file = file.str(); }

  void read(std::string& out);
  void read(bool& out);
  void read(int64_t& out);
  void read(std::variant<std::string, int64_t, bool>& out);
  void read(SourceRange& out);
  void read(Schema& out);
  template <class T>
  void read(std::optional<T>& out) {
    read(out.emplace());
  }
  template <class T>
  void read(std::vector<T>& out) {
    const std::size_t count = array_size();
    out.clear();
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) JsonReader(element(i), *this, {}, i).read(out.emplace_back());
  }
  /// Reads an enumerator by its name, or a described type.
  template <class T>
  void read(T& out) {
    if constexpr (std::is_enum_v<T>) {
      if (const std::optional<std::size_t> index = choice(names_of(T{}))) out = static_cast<T>(*index);
    } else if (expect_object()) {
      describe(*this, out);
      reject_unknown_keys();
    }
  }

  /// Reports that the value is not `expected`.
  void fail(const llvm::Twine& expected);
  /// Reports an error with a description of what was found.
  void fail(const llvm::Twine& expected, const llvm::Twine& found);
  /// Checks the members that identify the format of the document.
  void expect_format(llvm::StringRef format, int64_t version);
  bool expect_object();
  void reject_unknown_keys();

 private:
  JsonReader(const nlohmann::json& value, const JsonReader& parent, llvm::StringRef key, std::size_t index)
      : value_(value), state_(parent.state_), parent_(&parent), key_(key), index_(index) {}

  const nlohmann::json* find(llvm::StringRef key, bool is_required);
  std::size_t array_size();
  const nlohmann::json& element(std::size_t index) const;
  std::optional<std::size_t> choice(llvm::ArrayRef<llvm::StringRef> names);
  std::string path() const;

  const nlohmann::json& value_;
  State& state_;
  const JsonReader* parent_ = nullptr;
  llvm::StringRef key_;  ///< key in the parent, if that is an object
  std::size_t index_ = 0;
  llvm::SmallVector<llvm::StringRef, 16> asked_;  ///< keys of the described type
};

/// Reads a whole document of a described type; `format` and `version` must match.
template <class T>
llvm::Expected<T> read_json_document(llvm::StringRef text, llvm::StringRef format, int64_t version) {
  llvm::Expected<JsonDocument> document = JsonDocument::parse(text);
  if (!document) return document.takeError();
  JsonReader::State state;
  JsonReader reader(document->root(), state);
  T value;
  if (reader.expect_object()) {
    reader.expect_format(format, version);
    describe(reader, value);
    reader.reject_unknown_keys();
  }
  if (!state.error.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), state.error);
  return value;
}

/// Returns the `format` of a document: `structured fragment`, `structured library`.
llvm::Expected<std::string> json_document_format(llvm::StringRef text);

}  // namespace structured::gen
