// Backends and device types, from backends.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct BackendSpec {
  /// Where a backend's tensors have their data. Wrappers for a `device` backend select the device before they run.
  enum class Place { host, device, meta };
  llvm::StringLiteral name;           ///< `QuantizedCPU`
  llvm::StringLiteral cpp_namespace;  ///< of its part of the C++ API, and in names of wrappers: `quantized_cpu`
  Place place;
};

/// The backends of the native runtime, in the order of its enumeration.
llvm::ArrayRef<BackendSpec> native_backends();
/// The native backend of that name, or null.
const BackendSpec* find_native_backend(llvm::StringRef name);

/// The names that `impl` and `kernel` accept in each dialect, composite ones included.
llvm::ArrayRef<llvm::StringRef> native_backend_names();
llvm::ArrayRef<llvm::StringRef> aten_backend_names();

}  // namespace structured::gen
