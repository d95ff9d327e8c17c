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

# structured_unity_build(TARGET): with STRUCTURED_UNITY_BUILD, compiles several sources of a target at once, since most of
# their compile time is spent on headers that all of them include. Libraries that every
# call passes through, the runtime's core and the kernels, are compiled one by one, as in other builds: see
# structured_unity_folders.
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

# structured_unity_folders(TARGET FOLDERS...): with STRUCTURED_UNITY_LIBRARIES, compiles the sources of each folder at once.
# FOLDERS are relative to the current one. Sources with definitions, or with other options than the first of their folder,
# are compiled one by one. CMake's UNITY_BUILD would do so with each source that has options.
function(structured_unity_folders target)
  if(NOT STRUCTURED_UNITY_LIBRARIES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(folder IN LISTS ARGN)
    set(text "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
      cmake_path(GET path PARENT_PATH parent)
      if(NOT parent STREQUAL "${CMAKE_CURRENT_SOURCE_DIR}/${folder}" OR NOT path MATCHES "\\.cpp$")
        continue()
      endif()
      get_source_file_property(options ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
      get_source_file_property(definitions ${source} TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
      if(definitions)
        continue()
      elseif(NOT text)
        set(group_options ${options})
      endif()
      if("${options}" STREQUAL "${group_options}")
        string(APPEND text "#include \"${path}\"\n")
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
    if(text)
      set(group ${CMAKE_CURRENT_BINARY_DIR}/${target}.groups/${folder}.cpp)
      file(CONFIGURE OUTPUT ${group} CONTENT "${text}" @ONLY)
      list(APPEND sources ${group})
      if(group_options)
        set_source_files_properties(${group} PROPERTIES COMPILE_OPTIONS "${group_options}")
      endif()
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()
