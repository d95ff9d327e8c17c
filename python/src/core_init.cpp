// Entry point of the extension module structured._core. The library that defines it is shared with other modules.
#include "structured/python/core_module.h"

PyMODINIT_FUNC PyInit__core() { return structured::python::create_core_module(); }
