// Writes described values (see json_reader.h) as JSON: keys sorted, members with default values omitted, indented by
// one space, with a newline at the end. Equal values give equal bytes. The text is produced directly: building a
// tree would take a fifth of the time of scanning and emitting many operators.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "model/schema.h"
#include "model/source_range.h"

namespace structured::gen {

/// Writes the members of one object.
class JsonWriter {
 public:
  template <class T>
  using Value = const T&;

  /// State shared by all writers of one document.
  struct State {
    std::string file;  ///< file of source ranges that name none
    std::string text;  ///< the text so far
    unsigned depth = 0;
  };
  explicit JsonWriter(State& state) : state_(state), begin_(state.text.size()) { ++state_.depth; }

  /// `key` must outlive the writer and must not be repeated.
  template <class T>
  void required(llvm::StringRef key, const T& value) {
    members_.push_back({key, state_.text.size()});
    write(value);
  }
  template <class T>
  void field(llvm::StringRef key, const T& value, const T& default_value = T{}) {
    if (value != default_value) required(key, value);
  }
  /// Must be called once, after the last member.
  void finish();
  void places_in(llvm::StringRef file) { state_.file = file.str(); }

  void write(const std::string& value);
  void write(bool value);
  void write(int64_t value);
  void write(const std::variant<std::string, int64_t, bool>& value);
  void write(const SourceRange& value);
  void write(const Schema& value);
  template <class T>
  void write(const std::optional<T>& value) {
    write(*value);
  }
  template <class T>
  void write(const std::vector<T>& value) {
    open_array();
    for (const T& element : value) {
      next_element();
      write(element);
    }
    close_array();
  }
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      write(names_of(value)[static_cast<std::size_t>(value)]);
    } else {
      JsonWriter object(state_);
      describe(object, value);
      object.finish();
    }
  }

 private:
  struct WrittenMember {
    llvm::StringRef key;
    std::size_t begin;  ///< position of the value in the text
  };

  void write(llvm::StringRef value);
  void open_array();
  void next_element();
  void close_array();
  void new_line();

  State& state_;
  const std::size_t begin_;
  llvm::SmallVector<WrittenMember, 16> members_;
};

/// Returns a described value as a whole document.
template <class T>
std::string write_json_document(const T& value, llvm::StringRef format, int64_t version) {
  JsonWriter::State state;
  JsonWriter root(state);
  root.required("format", format.str());
  root.required("version", version);
  describe(root, value);
  root.finish();
  state.text += '\n';
  return std::move(state.text);
}

}  // namespace structured::gen
