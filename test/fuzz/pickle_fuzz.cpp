// Any bytes either are refused with an error that names the pickle, or give values that refer to each other and to the
// bytes.
#include <structured/base/error.h>
#include <structured/program/pickle.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using structured::program::Pickle;
using structured::program::PickleValue;

void visit(const Pickle& pickle, PickleValue::Index index, std::string_view bytes, std::vector<bool>& is_visited) {
  if (index >= is_visited.size()) __builtin_trap();
  if (is_visited[index]) return;
  is_visited[index] = true;
  const PickleValue& value = pickle[index];
  if (!value.text.empty() &&
      (value.text.data() < bytes.data() || value.text.data() + value.text.size() > bytes.data() + bytes.size())) {
    __builtin_trap();
  }
  for (const PickleValue::Index child : value.children) visit(pickle, child, bytes, is_visited);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Pickle pickle(bytes, "file");
    std::vector<bool> is_visited(size);  // no more values than bytes
    for (const PickleValue::Index child : pickle.root().children) visit(pickle, child, bytes, is_visited);
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
