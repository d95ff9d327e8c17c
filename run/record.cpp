#include "record.h"

#include <structured/core/error.h>
#include <structured/dispatch/fallback.h>
#include <structured/dispatch/value_tensors.h>

#include <fstream>

#include "libraries.h"

namespace structured::run {
namespace {

constexpr Layer kLayer = Layer::Private3;
constinit Recorder* current = nullptr;

void record(const BoxedCall& call, Stack& stack) {
  // Operators without tensors have an entry, too. References to elements of a map remain valid.
  std::set<std::string>& dtypes = current->dtypes[std::string(call.op().name())];
  const auto note = [&] {
    for (const Value& value : stack) {
      detail::visit_tensors_in(value, [&](const Tensor& tensor) { dtypes.insert(to_string(tensor.dtype())); });
    }
  };
  note();
  call.proceed(stack);
  note();
}

/// A string of a JSON file. Names of files may contain any character.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return result + '"';
}

}  // namespace

Recorder::Recorder() : layers_(kLayer) {
  current = this;
  // __FILE__ would be a path of the build, which packages must not contain.
  register_fallback(kLayer, record, "run/record.cpp", __LINE__);
}

Recorder::~Recorder() { deregister_fallback(kLayer); }

const OperatorHandle* Recorder::find(std::string_view name) {
  const OperatorHandle* const found = find_in_libraries(name);
  if (found != nullptr) current->dtypes[std::string(name)];
  return found;
}

void Recorder::write(const std::string& path, const std::string& model) const {
  std::ofstream out(path);
  out << "{\n  \"format\": \"structured record\",\n  \"model\": " << quoted(model) << ",\n  \"operators\": {";
  const char* separator = "\n";
  for (const auto& [name, types] : dtypes) {
    out << separator << "    " << quoted(name) << ": [";
    separator = ",\n";
    const char* comma = "";
    for (const std::string& type : types) {
      out << comma << quoted(type);
      comma = ", ";
    }
    out << "]";
  }
  out << "\n  }\n}\n";
  out.close();
  STRUCTURED_CHECK(out.good(), path, ": the record cannot be written");
}

}  // namespace structured::run
