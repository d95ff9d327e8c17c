// The stub file of a Python module or package, for editors and type checkers, and its documentation.
#pragma once

#include <string>

#include "emit/python/python_functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// `<module>.pyi`: every overload of every function with its operator's documentation, and the class `TensorMethods`
/// with the methods.
std::string python_stubs(llvm::ArrayRef<PythonFunction> functions);
/// `__init__.pyi` of a package with operators for PyTorch: every overload of every function, with documentation.
std::string torch_stubs(llvm::ArrayRef<PythonFunction> functions);
/// `<module>_docs.py`: the documentation by name, as text that is loaded when it is first asked for.
std::string python_documentation(llvm::ArrayRef<PythonFunction> functions);

}  // namespace structured::gen
