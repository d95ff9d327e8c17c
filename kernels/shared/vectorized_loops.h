// Included by a source whose loops the compiler vectorises, most of them once per instruction set (cpu/leveled.h).
// CMake compiles the sources that include it with the options of structured_loop_options.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && !defined(__NO_MATH_ERRNO__)
#error "this source needs the options of structured_loop_options(): configure the build again"
#endif
