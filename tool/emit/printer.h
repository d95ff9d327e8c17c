// Printers convert a lowered library to files. All decisions have been made by `lower`.
//
// A target (emit/target.h) is a printer in a folder of its own, emit/<target>/, for libraries of a dialect.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/lowered_library.h"
#include "model/source_range.h"

namespace structured::gen {

/// Paths relative to the output directory, and contents.
using EmittedFiles = std::vector<std::pair<std::string, std::string>>;

/// An operator that the target does not print, or not for all dtypes.
struct EmitNote {
  std::string message;
  SourceRange range;  ///< that the reason is about
};

struct PrintOptions {
  bool has_imports = false;  ///< whether the library imports others
  bool has_cuda = false;     ///< whether scalar functions get kernels for CUDA
  bool boxed = true;         ///< whether operators can be called through `find_operator(name)->call(stack)`
  /// Called for what the files lack, if set.
  std::function<void(const EmitNote&)> on_note = {};
};

/// Stateless; may be used from any thread.
class Printer {
 public:
  virtual ~Printer() = default;
  /// Whether it prints wrappers. Without them, lowering rejects no step and no argument.
  virtual bool prints_wrappers() const { return true; }
  /// The steps that it prints. Lowering rejects operators that need others.
  virtual StepSet steps() const = 0;
  /// The arguments of derivatives that it prints; none for a target without nodes.
  virtual std::set<GradientArgument::Kind> gradient_arguments() const { return {}; }
  /// Whether it prints what compilers of tensor programs see in place of a kernel.
  virtual bool decomposes() const { return false; }
  /// How symbolic functions are called.
  virtual Symbols symbols() const { return Symbols::none; }
  /// Whether the Python package has the layers above the kernels; see LowerOptions.
  virtual bool has_python_layers() const { return false; }
  /// All files of the library.
  virtual EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions& options) const = 0;
  /// The wrappers of one variant on all backends, with the globals that they use.
  virtual std::string wrappers(const LoweredLibrary& lowered, const LoweredVariant& variant) const = 0;
};

}  // namespace structured::gen
