#pragma once
// CPython's C API. Include this header first: Python.h defines macros that change standard headers.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
