#pragma once
// Symbol visibility. Every symbol is hidden unless marked STRUCTURED_API.

#if defined(_WIN32)
#if defined(STRUCTURED_RUNTIME_BUILD)
#define STRUCTURED_API __declspec(dllexport)
#else
#define STRUCTURED_API __declspec(dllimport)
#endif
#else
#define STRUCTURED_API __attribute__((visibility("default")))
#endif
