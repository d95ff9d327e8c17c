// Backends and device types, from backends.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct BackendSpec {
  /// Location of the data of a backend's tensors. Wrappers for a `device` backend make the device current.
  enum class Place { host, device, meta };
  llvm::StringLiteral name;           ///< `QuantizedCPU`
  llvm::StringLiteral cpp_namespace;  ///< nested namespace in the C++ API, and part of wrapper names: `quantized_cpu`
  Place place;
};

/// The backends of the native runtime, in the order of its enumeration.
llvm::ArrayRef<BackendSpec> native_backends();
/// Returns the native backend of that name, or null.
const BackendSpec* find_native_backend(llvm::StringRef name);

/// Names that `impl` and `kernel` accept in each dialect, including composite backends.
llvm::ArrayRef<llvm::StringRef> native_backend_names();
llvm::ArrayRef<llvm::StringRef> aten_backend_names();

}  // namespace structured::gen
