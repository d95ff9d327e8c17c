# Finds LLVM and Clang 19, and gives the flags that code built against them needs.

find_program(STRUCTURED_LLVM_CONFIG NAMES llvm-config-19 llvm-config DOC "llvm-config of LLVM 19")
if(NOT STRUCTURED_LLVM_CONFIG)
  message(FATAL_ERROR "Structured needs LLVM and Clang 19 to build structured-gen, and found no llvm-config-19.\n"
    "On Debian or Ubuntu: apt install llvm-19-dev libclang-19-dev. Or set STRUCTURED_LLVM_CONFIG to its path, or "
    "STRUCTURED_BUILD_TOOL=OFF.")
endif()
execute_process(COMMAND ${STRUCTURED_LLVM_CONFIG} --version OUTPUT_VARIABLE STRUCTURED_LLVM_VERSION
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT STRUCTURED_LLVM_VERSION MATCHES "^19\\.")
  message(FATAL_ERROR "Structured needs LLVM 19, found ${STRUCTURED_LLVM_VERSION} by ${STRUCTURED_LLVM_CONFIG}. "
    "Older ones do not parse attribute arguments for plugins; newer ones are not supported yet.\n"
    "STRUCTURED_LLVM_CONFIG says which llvm-config to use.")
endif()
execute_process(COMMAND ${STRUCTURED_LLVM_CONFIG} --prefix OUTPUT_VARIABLE STRUCTURED_LLVM_PREFIX
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(Clang CONFIG QUIET HINTS ${STRUCTURED_LLVM_PREFIX}/lib/cmake/clang)
if(NOT Clang_FOUND OR NOT LLVM_PACKAGE_VERSION VERSION_EQUAL STRUCTURED_LLVM_VERSION)
  message(FATAL_ERROR "Structured needs Clang ${STRUCTURED_LLVM_VERSION} beside LLVM, and found none in "
    "${STRUCTURED_LLVM_PREFIX}.\nOn Debian or Ubuntu: apt install libclang-19-dev.")
endif()
set(STRUCTURED_CLANG_RESOURCE_DIR ${STRUCTURED_LLVM_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR})

# structured_llvm_flags(TARGET): LLVM's include paths and its ways of compiling, for tool/ and plugin/ only.
function(structured_llvm_flags target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions -fvisibility-inlines-hidden)
  if(STRUCTURED_SANITIZE MATCHES address)
    # LLVM's allocators poison memory where their headers see an instrumented build, and LLVM's own libraries, which are
    # not instrumented, would then write to it.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-U__SANITIZE_ADDRESS__>)
  endif()
  if(STRUCTURED_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=vptr)  # needs RTTI, which LLVM is built without
  endif()
endfunction()
