#include "language/backends.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

constexpr BackendSpec backends[] = {
#define STRUCTURED_BACKEND(name, cpp_namespace, place) {#name, cpp_namespace, BackendSpec::Place::place},
#include "structured/schema/backends.def"
};

constexpr llvm::StringRef native_names[] = {
#define STRUCTURED_BACKEND(name, cpp_namespace, place) #name,
#define STRUCTURED_COMPOSITE_BACKEND(name) #name,
#include "structured/schema/backends.def"
};

constexpr llvm::StringRef aten_names[] = {
#define STRUCTURED_ATEN_BACKEND(name) #name,
#include "structured/schema/backends.def"
};

}  // namespace

llvm::ArrayRef<BackendSpec> native_backends() { return backends; }

const BackendSpec* find_native_backend(llvm::StringRef name) {
  const auto* found = llvm::find_if(backends, [&](const BackendSpec& backend) { return backend.name == name; });
  return found == std::end(backends) ? nullptr : found;
}

llvm::ArrayRef<llvm::StringRef> native_backend_names() { return native_names; }
llvm::ArrayRef<llvm::StringRef> aten_backend_names() { return aten_names; }

}  // namespace structured::gen
