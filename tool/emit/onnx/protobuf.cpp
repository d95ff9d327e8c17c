#include "emit/onnx/protobuf.h"

namespace structured::gen {
namespace {

/// Wire types.
constexpr unsigned varint_type = 0;
constexpr unsigned length_delimited_type = 2;

}  // namespace

void ProtobufMessage::integer(unsigned field, int64_t value) {
  varint(field << 3 | varint_type);
  varint(static_cast<uint64_t>(value));
}

void ProtobufMessage::bytes(unsigned field, llvm::StringRef value) {
  varint(field << 3 | length_delimited_type);
  varint(value.size());
  text_ += value;
}

void ProtobufMessage::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
  text_ += static_cast<char>(value);
}

}  // namespace structured::gen
