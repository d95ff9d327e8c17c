// Writing of described values (see json_reader.h) as JSON: keys sorted, members with default values left out, one
// space of indent, a newline at the end. The same value gives the same bytes.
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
#include "llvm/ADT/StringRef.h"
#include "model/schema.h"
#include "model/source_range.h"

namespace structured::gen {

/// Writes one value of a tree, which must outlive it.
class JsonWriter {
 public:
  template <class T>
  using Value = const T&;

  /// What all writers of one document share.
  struct State {
    std::string file;  ///< of places that need not name theirs
  };
  JsonWriter(nlohmann::json& value, State& state) : value_(value), state_(state) {}

  template <class T>
  void required(llvm::StringRef key, const T& value) {
    JsonWriter(member(key), state_).write(value);
  }
  template <class T>
  void field(llvm::StringRef key, const T& value, const T& default_value = T{}) {
    if (value != default_value) required(key, value);
  }
  void places_in(llvm::StringRef file) { state_.file = file.str(); }

  void write(const std::string& value);
  void write(bool value);
  void write(std::int64_t value);
  void write(const std::variant<std::string, std::int64_t, bool>& value);
  void write(const SourceRange& value);
  void write(const Schema& value);
  template <class T>
  void write(const std::optional<T>& value) {
    write(*value);
  }
  template <class T>
  void write(const std::vector<T>& value) {
    make_array();
    for (const T& element : value) JsonWriter(append(), state_).write(element);
  }
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      write(names_of(value)[static_cast<std::size_t>(value)].str());
    } else {
      make_object();
      describe(*this, value);
    }
  }

 private:
  nlohmann::json& member(llvm::StringRef key);
  nlohmann::json& append();
  void make_array();
  void make_object();

  nlohmann::json& value_;
  State& state_;
};

/// A document under construction.
class JsonDocumentWriter {
 public:
  JsonDocumentWriter(llvm::StringRef format, std::int64_t version);
  ~JsonDocumentWriter();
  JsonWriter& root() { return writer_; }
  std::string text() const;

 private:
  std::unique_ptr<nlohmann::json> root_;
  JsonWriter::State state_;
  JsonWriter writer_;
};

/// A described value as a whole document.
template <class T>
std::string write_json_document(const T& value, llvm::StringRef format, std::int64_t version) {
  JsonDocumentWriter document(format, version);
  describe(document.root(), value);
  return document.text();
}

}  // namespace structured::gen
