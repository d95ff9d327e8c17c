// From a library's operators to files: the C++ of its wrappers, tables and headers, and the JSON that tools read.
//
// For a library with the C++ namespace `a::b`, these are written below the output directory:
//   operators.json                           the merged model
//   include/a/b/signatures.json              what other libraries check against; beside the headers, so that it is
//                                            installed with them
//   include/a/b/export.h, find_operator.h    export macro; `find_operator`
//   include/a/b/operators.h                  that and every header of operators
//   include/a/b/ops/<base>.h                 public API, one header for all overloads of a base name
//   operators.cpp                            the sorted table behind `find_operator`
//   shared_bodies.cpp                        of wrappers of several sources that are alike
//   imports.cpp                              kernels for operators of other libraries, if any are imported
// and for every kernel source S, whether or not it has operators (so that a build knows the names beforehand; see
// `emitted_sources`): wrappers of its kernels, tables of the operators that it defines, their boxed calls.
// The names of all files are kept in `emitted.manifest`, so that the next run removes those that are gone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"
#include "target/target.h"

namespace structured::gen {

struct EmitOptions {
  std::string output_dir;
  /// Kernel sources of the library as the fragments name them, relative to the source root.
  std::vector<std::string> sources;
  std::string depfile;  ///< where to write `depfile_text`; empty: nowhere
  std::string depfile_text;
  std::string outputs_file;  ///< where to list the emitted files, one relative path a line; empty: nowhere
  /// What `to_json` makes of the library's Signatures.
  std::string signatures;
  bool has_imports = false;  ///< whether the library imports others
  bool boxed = true;         ///< whether operators can be called through `find_operator(name)->call(stack)`
  /// Called with the name of each step as it begins, if set.
  std::function<void(const char*)> on_step;
};

/// Paths, relative to the output directory, of the C++ sources emitted for one kernel source.
struct EmittedSources {
  std::string wrappers;  ///< `src/cpu/binary.cpp`; `src/cuda/binary.cu.cpp` for a source that is not a `.cpp`
  std::string tables;    ///< `src/cpu/binary.tables.cpp`
  std::string boxed;     ///< `src/cpu/binary.boxed.cpp`
};
EmittedSources emitted_sources(llvm::StringRef kernel_source);

/// Writes all files, or none: everything is made in memory and in temporary files before the first one is
/// replaced. Files whose bytes stay the same are not touched. The `aten` dialect gets the two JSON files only.
/// Errors name the operator or the file. Not to be run twice at once for one output directory.
llvm::Error emit(const Library& library, const Target& target, const EmitOptions& options);

/// The emitted wrappers of one variant (`add.Tensor`), one for each backend, as they stand in the emitted
/// sources, with the globals that they use. Errors if the library has no such operator, or the dialect no C++.
llvm::Expected<std::string> emitted_wrapper(const Library& library, const Target& target,
                                            llvm::StringRef operator_name);

}  // namespace structured::gen
