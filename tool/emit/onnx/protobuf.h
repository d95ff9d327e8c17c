// Serialization of protocol buffers: https://protobuf.dev/programming-guides/encoding.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// The bytes of a message. Fields are written in the order of the calls.
class ProtobufMessage {
 public:
  /// Appends an integer or an enumerator.
  void integer(unsigned field, int64_t value);
  /// Appends a string, bytes, or packed numbers of a fixed size.
  void bytes(unsigned field, llvm::StringRef value);
  void message(unsigned field, const ProtobufMessage& value) { bytes(field, value.text_); }

  const std::string& text() const { return text_; }

 private:
  void varint(uint64_t value);

  std::string text_;
};

}  // namespace structured::gen
