#pragma once
// Visibility of the symbols of libstructured_program, which is a library of its own.

#if defined(_WIN32) && defined(STRUCTURED_PROGRAM_BUILD)
#define STRUCTURED_PROGRAM_API __declspec(dllexport)
#elif defined(_WIN32)
#define STRUCTURED_PROGRAM_API __declspec(dllimport)
#else
#define STRUCTURED_PROGRAM_API __attribute__((visibility("default")))
#endif
