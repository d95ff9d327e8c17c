// C++ sources of a Python module: one constant table of overloads for each function, and the module's initialisation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emit/python/python_functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Selects the functions of one of several sources, which are compiled in parallel.
struct PythonPart {
  std::size_t part = 0;
  std::size_t parts = 1;
};

/// The tables of one part. Calls, defaults and checks of arguments are left to `<structured/python/bindings.h>`.
std::string python_tables_source(llvm::ArrayRef<PythonFunction> functions, llvm::StringRef module, PythonPart part);
/// The source that defines `PyInit_<module>`.
std::string python_module_source(llvm::StringRef module, std::size_t parts);

}  // namespace structured::gen
