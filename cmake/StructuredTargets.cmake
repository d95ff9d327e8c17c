# Compiler options of this project's own targets.

# structured_own_flags(TARGET): warnings (errors with STRUCTURED_WERROR) and sanitizers.
function(structured_own_flags target)
  # BEFORE makes a target's own options come later: clang obeys the last option for a warning.
  target_compile_options(${target} BEFORE PRIVATE -Wall -Wextra -Wshadow $<$<BOOL:${STRUCTURED_WERROR}>:-Werror>)
  # g++ 12 warns about overlapping copies in inlined `"text" + std::string(...)` (GCC bug 105651).
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  # clang++ reports std::get_temporary_buffer, which libstdc++ 12 deprecates and std::stable_sort calls.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
  # Functions of a library call each other directly, not through the procedure linkage table. Loops over a tensor's
  # dimensions have few iterations, so that a call of memcpy would be slower.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND NOT APPLE AND NOT WIN32)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
                                             $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  endif()
  if(STRUCTURED_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE})
    # In instrumented code, g++ 12 warns falsely about empty std::optionals. Builds without sanitizers keep the warning.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# structured_precompile_headers(TARGET PRIVATE HEADERS...), structured_precompile_headers(TARGET REUSE_FROM OTHER):
# calls target_precompile_headers if STRUCTURED_PRECOMPILE_HEADERS is on. Sources always include the headers that they
# use.
function(structured_precompile_headers)
  if(STRUCTURED_PRECOMPILE_HEADERS)
    target_precompile_headers(${ARGV})
  endif()
endfunction()

# structured_precompile_runtime(TARGET): with STRUCTURED_PRECOMPILE_HEADERS, compiles headers of the runtime once for the sources of
# a library of operators, emitted ones too. Call it when all sources have been added.
function(structured_precompile_runtime target)
  if(NOT STRUCTURED_PRECOMPILE_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <functional> <tuple> <variant>
    <structured/autograd/record.h> <structured/autograd/saved.h> <structured/autograd/unrecorded.h>
    <structured/core/factory.h> <structured/number/visit.h> <structured/dispatch/boxed.h> <structured/dispatch/meta_function.h>
    <structured/dispatch/slow_path.h> <structured/iterator/copy.h> <structured/iterator/derived_variants.h>
    <structured/iterator/parallel.h> <structured/kernel/adaptors.h> <structured/kernel/guards.h>
    <structured/kernel/meta_base.h> <structured/kernel/outputs.h> <structured/kernel/prepared_call.h>
    <structured/kernel/versions.h>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    # Loops are compiled with options that a precompiled header must share.
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    set(skip OFF)
    if(options MATCHES "-(ffp-contract|falign)")
      set(skip ON)
    endif()
    set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ${skip})
  endforeach()
endfunction()

# structured_unity_build(TARGET): with STRUCTURED_UNITY_BUILD, compiles several sources of a target at once, since most of
# their compile time is spent on headers that all of them include. Libraries that every
# call passes through, the runtime's core and the kernels, are compiled one by one, as in other builds.
function(structured_unity_build target)
  if(NOT STRUCTURED_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  # A library that is never built gives compile_commands.json an entry for each source.
  set(each ${target}_sources)
  add_library(${each} OBJECT EXCLUDE_FROM_ALL $<TARGET_PROPERTY:${target},SOURCES>)
  target_include_directories(${each} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  # The property does not say which of them are SYSTEM: those of other projects.
  target_include_directories(${each} SYSTEM
    PRIVATE $<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^${PROJECT_SOURCE_DIR}/>)
  target_compile_definitions(${each} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_compile_options(${each} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)
  target_link_libraries(${each} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
endfunction()
