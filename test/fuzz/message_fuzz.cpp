// Any bytes from a client, in pieces of any size, give messages or complaints, the same ones however they are cut; no
// text is too malformed for the parser of messages and for what looks at attributes being typed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attribute_context.h"
#include "function_text.h"
#include "json_rpc.h"
#include "message_reader.h"

namespace {

std::vector<std::string> read(llvm::StringRef text, std::size_t piece) {
  structured::lsp::MessageReader reader;
  std::vector<std::string> result;
  while (true) {
    reader.feed(text.take_front(piece));
    text = text.drop_front(std::min(piece, text.size()));
    while (auto item = reader.next()) result.push_back((item->is_malformed ? "? " : "! ") + item->text);
    if (text.empty()) return result;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace structured::lsp;
  llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> whole = read(text, size + 1);
  for (std::size_t piece : {1, 7}) {
    if (read(text, piece) != whole) __builtin_trap();
  }
  for (const std::string& item : whole) parse_message(llvm::StringRef(item).drop_front(2));
  parse_message(text);
  if (read(framed(text), 5) != std::vector<std::string>{"! " + text.str()}) __builtin_trap();
  for (std::size_t offset = 0; offset <= size; offset += 1 + size / 16) {
    if (auto context = attribute_context(text, offset)) {
      if (context->begin > offset || context->end < offset || context->end > size) __builtin_trap();
    }
    if (auto body = body_after(text, offset); body && body->end > size) __builtin_trap();
  }
  std::size_t length = 0;
  for (const std::string& statement : statements(text)) {
    length += statement.size();
    declared_names(statement);
    identifiers(statement);
  }
  if (length > size) __builtin_trap();
  return 0;
}
