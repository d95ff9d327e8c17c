# Finds LLVM and Clang 19 or 22, the versions from 19 on that Debian 12 has, and defines structured_llvm_flags.
# tool/scan/clang_versions.h contains the differences between them.

find_program(STRUCTURED_LLVM_CONFIG NAMES llvm-config-19 llvm-config-22 llvm-config DOC "llvm-config of LLVM 19 or 22")
if(NOT STRUCTURED_LLVM_CONFIG)
  message(FATAL_ERROR "Structured needs LLVM and Clang 19 or 22 to build structured-gen, and found no llvm-config-19.\n"
    "On Debian or Ubuntu: apt install llvm-19-dev libclang-19-dev. Or set STRUCTURED_LLVM_CONFIG to its path, or "
    "STRUCTURED_BUILD_TOOL=OFF.")
endif()
execute_process(COMMAND ${STRUCTURED_LLVM_CONFIG} --version OUTPUT_VARIABLE STRUCTURED_LLVM_VERSION
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT STRUCTURED_LLVM_VERSION MATCHES "^(19|22)\\.")
  message(FATAL_ERROR "Structured needs LLVM 19 or 22, found ${STRUCTURED_LLVM_VERSION} (${STRUCTURED_LLVM_CONFIG}). "
    "Older versions do not parse attribute arguments for plugins; others were not tried.\n"
    "Set STRUCTURED_LLVM_CONFIG to the llvm-config of LLVM 19 or 22.")
endif()
execute_process(COMMAND ${STRUCTURED_LLVM_CONFIG} --prefix OUTPUT_VARIABLE STRUCTURED_LLVM_PREFIX
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^[0-9]+" major ${STRUCTURED_LLVM_VERSION})
find_package(Clang CONFIG QUIET HINTS ${STRUCTURED_LLVM_PREFIX}/lib/cmake/clang)
if(NOT Clang_FOUND OR NOT LLVM_PACKAGE_VERSION VERSION_EQUAL STRUCTURED_LLVM_VERSION)
  message(FATAL_ERROR "Structured needs Clang ${STRUCTURED_LLVM_VERSION} beside LLVM, and found none in "
    "${STRUCTURED_LLVM_PREFIX}.\nOn Debian or Ubuntu: apt install libclang-${major}-dev.")
endif()
set(STRUCTURED_CLANG_RESOURCE_DIR ${STRUCTURED_LLVM_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR})

# structured_llvm_flags(TARGET): LLVM's include paths, definitions and compiler options; for tool/, plugin/ and lsp/
# only.
function(structured_llvm_flags target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions -fvisibility-inlines-hidden)
  if(STRUCTURED_PRECOMPILE_HEADERS)  # g++ then takes LLVM's headers for our own, and warns about them
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull> $<$<CXX_COMPILER_ID:GNU>:-Wno-attributes>
                                             $<$<CXX_COMPILER_ID:GNU>:-Wno-init-list-lifetime>)
  endif()
  if(STRUCTURED_SANITIZE MATCHES address)
    # In an instrumented build, inline functions of LLVM's allocators poison memory. LLVM's libraries, which are not
    # instrumented, write to this memory.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-U__SANITIZE_ADDRESS__>)
  endif()
  if(STRUCTURED_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=vptr)  # needs RTTI, and LLVM is built without it
  endif()
endfunction()
