#pragma once
// Visibility of the symbols of libstructured_python, which is a library of its own.

#define STRUCTURED_PYTHON_API __attribute__((visibility("default")))
