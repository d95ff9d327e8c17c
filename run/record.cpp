#include "record.h"

#include <structured/base/error.h>
#include <structured/dispatch/fallback.h>
#include <structured/dispatch/value_tensors.h>
#include <structured/format/json_string.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <utility>

#include "libraries.h"

namespace structured::run {
namespace {

constexpr Layer kLayer = Layer::Private3;
constinit Recorder* current = nullptr;

// Makes an operator the one that creates tensors, until the end of the scope. `dtypes` are those of its entry.
class Creator {
 public:
  explicit Creator(std::set<std::string>& dtypes) {
    note_created();  // by the operator that calls this one
    caller_ = std::exchange(current->creator, &dtypes);
  }
  Creator(const Creator&) = delete;
  Creator& operator=(const Creator&) = delete;
  ~Creator() {
    note_created();
    current->creator = caller_;
  }

 private:
  static void note_created() {
    for (auto types = current->created.take().bits; types != 0; types &= types - 1) {
      // Outside of operators, inputs and expected outputs are read.
      if (current->creator) current->creator->insert(to_string(static_cast<ScalarType>(std::countr_zero(types))));
    }
  }

  std::set<std::string>* caller_;
};

void record(const BoxedCall& call, Stack& stack) {
  // Operators without tensors have an entry, too. References to elements of a map remain valid.
  std::set<std::string>& dtypes = current->dtypes[std::string(call.op().name())];
  const auto note = [&] {
    for (const Value& value : stack) {
      detail::visit_tensors_in(value, [&](const Tensor& tensor) { dtypes.insert(to_string(tensor.dtype())); });
    }
  };
  note();
  {
    const Creator creator(dtypes);
    call.proceed(stack);
  }
  note();
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
  using detail::json_string;
  std::ofstream out(path);
  out << "{\n  \"format\": \"structured record\",\n  \"model\": " << json_string(model) << ",\n  \"operators\": {";
  const char* separator = "\n";
  for (const auto& [name, types] : dtypes) {
    out << separator << "    " << json_string(name) << ": [";
    separator = ",\n";
    const char* comma = "";
    for (const std::string& type : types) {
      out << comma << json_string(type);
      comma = ", ";
    }
    out << "]";
  }
  out << "\n  }\n}\n";
  out.close();
  STRUCTURED_CHECK(out.good(), path, ": the record cannot be written");
}

}  // namespace structured::run
