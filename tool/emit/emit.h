// Emission: prints a library's operators and writes the files.
//
// The target `native` writes these files below the output directory for a library with the C++ namespace `a::b`:
//   operators.json                           the derived operators
//   include/a/b/signatures.json              signatures for libraries that import this one
//   include/a/b/documentation.h              the documentation of operators, which no emitted source includes
//   include/a/b/export.h, find_operator.h    the export macro; `find_operator`
//   include/a/b/operators.h                  includes find_operator.h and all headers of operators
//   include/a/b/ops/<base>.h                 public API, one header for all overloads of a base name
//   operators.cpp                            the sorted table that `find_operator` searches
//   shared_bodies.cpp                        bodies that wrappers of several sources share
//   imports.cpp                              kernels for operators of other libraries, if any are imported
// and three sources for each kernel source (see emit/cpp/emitted_sources.h), even if it has no operators, so that
// builds can list them in advance. In a library for CUDA, each header also gets `src/<header>.cu` with the kernels of
// its scalar functions. The target `torch` writes the JSON files, `src/<source>.cpp` with wrappers for each kernel
// source, and `library.cpp`, which registers the operators. The target `onnx` writes the JSON files and
// `functions.onnx`, a model whose functions are the library's scalar functions. The dialect `aten` has the JSON files
// only.
// `emitted.manifest` lists all files, so that the next run can remove obsolete ones.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/flavour.h"
#include "emit/target.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"

namespace structured::gen {

struct EmitOptions {
  std::string output_dir;
  /// Kernel sources of the library as the fragments name them, relative to the source root.
  std::vector<std::string> sources;
  std::string depfile;  ///< path for `depfile_text`; empty: not written
  std::string depfile_text;
  std::string outputs_file;  ///< path for a list of the emitted files, one relative path per line; empty: not written
  /// The library's Signatures as JSON.
  std::string signatures;
  bool has_imports = false;  ///< whether the library imports others
  bool has_cuda = false;     ///< whether CUDA is among the library's backends
  bool boxed = true;         ///< whether operators can be called through `find_operator(name)->call(stack)`
  bool is_checked = false;   ///< whether calls of the operators are checked (structured/check/check_call.h)
  const Flavour* flavour = &dynamic_flavour();
  std::vector<std::string> backends = {};  ///< backends of the library; empty: all
  /// Full names of the operators that can be called by name; nullopt: all.
  std::optional<std::set<std::string>> selected = std::nullopt;
  /// Called with the name of each step as it begins, if set.
  std::function<void(const char*)> on_step;
  /// Called for each operator that the target does not print completely, if set.
  std::function<void(const EmitNote&)> on_note = {};
};

/// Writes all files or none: contents are complete in memory and in temporary files before the first file is replaced.
/// Files whose bytes would not change are not touched. A dialect without a target gets the two JSON files only.
/// Errors name the operator or the file. Must not run twice at once for one output directory.
llvm::Error emit(const Library& library, const Dialect& dialect, const EmitOptions& options);
/// Emits for the given target, which may be null, instead of the default target of the dialect.
llvm::Error emit(const Library& library, const Dialect& dialect, const Target* target, const EmitOptions& options);

struct PythonOptions {
  std::string output_dir;
  std::string module;         ///< name of the extension module
  unsigned parts = 1;         ///< number of sources for the tables of functions
  bool self_methods = false;  ///< see PythonFunctionOptions
};

/// Writes the sources of a Python module with the operators of some libraries of our runtime: `module.cpp`,
/// `tables_0.cpp`, ..., the stubs `<module>.pyi` and the documentation `<module>_docs.py`. For libraries for PyTorch,
/// writes the stubs `__init__.pyi` of a package, `py.typed`, and the meta functions `_shapes.py`. All files are written
/// or none. Errors name the library, the operator or the file.
llvm::Error emit_python(const std::deque<Library>& libraries, const PythonOptions& options);

/// The emitted wrappers of one variant (`add.Tensor`), one for each backend, with the globals that they use and without
/// sharing bodies. Fails if the library has no such operator or its dialect has no target.
llvm::Expected<std::string> emitted_wrapper(const Library& library, const Dialect& dialect,
                                            llvm::StringRef operator_name);

}  // namespace structured::gen
