# structured_add_library: from annotated kernel sources to a library.
#
#   structured_add_library(NAME SOURCES... [NAMESPACE ns] [CPP_NAMESPACE ns] [SHARED|STATIC] [DIALECT native|aten]
#     [PLUGIN] [IMPORTS libraries...] [BACKENDS backends...] [LOCK file])
#
# SOURCES are paths below the current source directory: C++, CUDA (.cu; the project enables the language CUDA), and
# headers, which are scanned and not compiled. Emitted code has the same folders. NAMESPACE (default: NAME) is the
# namespace of the schemas and of the public C++ functions; CPP_NAMESPACE overrides the latter. Other targets link NAME
# and include <ns/ops/<operator>.h>. PLUGIN makes clang++ check the sources while it compiles them; it also checks
# function bodies, which scans skip.
#
# IMPORTS are libraries made by this function, here or in a package, whose operators get kernels from this library.
# BACKENDS are the library's backends: a kernel for another one is an error. LOCK is a file with the schemas that the
# library promises: an incompatible change is an error. `cmake --build . --target NAME_update_lock` writes it.
#
# The steps, for sources a.cpp and b.cpp:
#
#   precompile   the runtime's headers, once for all sources of the library
#   scan         a.cpp -> a.fragment.json, b.cpp -> b.fragment.json; again when the source or a header it includes changes
#   emit         all fragments -> operators.json and C++; files whose bytes would not change are not touched
#   compile      a.cpp, b.cpp and the emitted sources, after emit, since all of them may include emitted headers
#
# After an edit in a kernel's body, a build runs one scan, one emit that writes no C++, one compilation and one link.

set(STRUCTURED_GEN_EXECUTABLE "" CACHE FILEPATH
  "Path of a structured-gen to use instead of the one built here, for example when cross-compiling")

include(${CMAKE_CURRENT_LIST_DIR}/StructuredEmittedHeaders.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredImports.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredEditors.cmake)

function(structured_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;STATIC;PLUGIN" "NAMESPACE;CPP_NAMESPACE;DIALECT;LOCK" "IMPORTS;BACKENDS")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "structured_add_library(${name}): no sources given")
  endif()
  list(REMOVE_DUPLICATES sources)
  if(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES ", " keywords)
    message(FATAL_ERROR "structured_add_library(${name}): expected a value after ${keywords}")
  endif()
  if(arg_SHARED AND arg_STATIC)
    message(FATAL_ERROR "structured_add_library(${name}): expected SHARED or STATIC, not both")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE ${name})
  endif()
  if(NOT arg_CPP_NAMESPACE)
    set(arg_CPP_NAMESPACE ${arg_NAMESPACE})
  endif()
  foreach(namespace IN ITEMS ${arg_NAMESPACE} ${arg_CPP_NAMESPACE})
    if(NOT namespace MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
      message(FATAL_ERROR "structured_add_library(${name}): \"${namespace}\" is not a namespace")
    endif()
  endforeach()
  if(NOT arg_DIALECT)
    set(arg_DIALECT native)
  endif()
  if(NOT arg_DIALECT MATCHES "^(native|aten)$")
    message(FATAL_ERROR "structured_add_library(${name}): unknown DIALECT \"${arg_DIALECT}\"; expected native or aten")
  endif()
  set(kind "")
  if(arg_SHARED)
    set(kind SHARED)
  elseif(arg_STATIC)
    set(kind STATIC)
  endif()

  if(arg_PLUGIN)
    structured_find_plugin(plugin ${name})
  endif()
  structured_find_imports(${name} ${arg_IMPORTS})
  structured_find_gen(gen)
  set(root ${CMAKE_CURRENT_SOURCE_DIR})
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.gen)
  set(fragment_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.scan)
  structured_relative_sources(sources "${root}" ${sources})
  structured_scan_flags(flags_file ${name} CXX ${fragment_dir})
  set(cuda_sources ${sources})
  list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
  if(cuda_sources)
    structured_need_cuda(${name} ${cuda_sources})
    structured_scan_flags(cuda_flags_file ${name} CUDA ${fragment_dir})
  endif()

  set(library_options --dialect=${arg_DIALECT} --namespace=${arg_NAMESPACE} --cpp-namespace=${arg_CPP_NAMESPACE})
  set(pch ${fragment_dir}/runtime.pch)
  structured_touch_command(touch ${pch})
  add_custom_command(
    OUTPUT ${pch}
    COMMAND ${gen} precompile ${library_options} --flags-file ${flags_file} -o ${pch} --depfile ${pch}.d
    ${touch}
    DEPENDS ${gen} ${flags_file}
    DEPFILE ${pch}.d
    COMMENT "${name}: precompiling runtime headers"
    COMMAND_EXPAND_LISTS VERBATIM)

  set(kernels "")
  set(fragments "")
  set(emitted ${output_dir}/operators.cpp ${output_dir}/shared_bodies.cpp)
  if(arg_IMPORTS)
    list(APPEND emitted ${output_dir}/imports.cpp)
  endif()
  set(emitted_tables "")
  set(emitted_boxed "")
  foreach(source IN LISTS sources)
    set(fragment ${fragment_dir}/${source}.fragment.json)
    structured_touch_command(touch ${fragment})
    if(source IN_LIST cuda_sources)
      set(start_options --cuda-path=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT})
      set(start_inputs ${cuda_flags_file})
      set(source_flags_file ${cuda_flags_file})
    else()
      set(start_options --pch ${pch})
      set(start_inputs ${pch})
      set(source_flags_file ${flags_file})
    endif()
    add_custom_command(
      OUTPUT ${fragment}
      COMMAND ${gen} scan ${library_options} ${import_prefixes} --source-root ${root} ${start_options}
              --flags-file ${source_flags_file} -o ${fragment} --depfile ${fragment}.d ${root}/${source}
      ${touch}
      DEPENDS ${gen} ${start_inputs} ${root}/${source}
      DEPFILE ${fragment}.d
      COMMENT "${name}: scanning ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND kernels ${root}/${source})
    list(APPEND fragments ${fragment})
    string(REGEX REPLACE "\\.cpp$" "" stem ${source})
    list(APPEND emitted ${output_dir}/src/${stem}.cpp)
    list(APPEND emitted_tables ${output_dir}/src/${stem}.tables.cpp)
    list(APPEND emitted_boxed ${output_dir}/src/${stem}.boxed.cpp)
  endforeach()
  if(arg_DIALECT STREQUAL aten)  # emit writes JSON files only
    set(emitted "")
    set(emitted_tables "")
    set(emitted_boxed "")
  endif()
  structured_batches(batches ${output_dir}.batches/tables ${emitted_tables})
  structured_batches(boxed_batches ${output_dir}.batches/boxed ${emitted_boxed})

  # Delete fragments of sources that are no longer part of the library.
  file(GLOB_RECURSE old_fragments ${fragment_dir}/*.fragment.json)
  list(REMOVE_ITEM old_fragments ${fragments})
  foreach(old_fragment IN LISTS old_fragments)
    file(REMOVE ${old_fragment} ${old_fragment}.d)
  endforeach()

  string(REPLACE "::" "/" namespace_dir ${arg_CPP_NAMESPACE})
  set(signatures ${output_dir}/include/${namespace_dir}/signatures.json)

  # Every run touches the stamp, but an emitted file only if its bytes change. The stamp is therefore the command's
  # output, and the emitted files are by-products, whose own timestamps decide what is recompiled. The list of sources
  # is an input, since removing a source makes no fragment newer.
  set(inputs ${output_dir}.inputs)
  file(CONFIGURE OUTPUT ${inputs} CONTENT "${fragments}\n")
  set(stamp ${output_dir}.stamp)

  structured_emitted_headers(headers ${output_dir} ${arg_CPP_NAMESPACE} "${import_namespaces}" ${kernels})
  set(known ${output_dir}.headers)
  list(JOIN headers "\n" text)
  file(CONFIGURE OUTPUT ${known} CONTENT "${text}\n")
  set(reconfigure ${output_dir}.reconfigure)
  if(NOT EXISTS ${reconfigure})
    file(TOUCH ${reconfigure})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reconfigure})
  list(TRANSFORM headers PREPEND ${output_dir}/)

  set(lock "")
  set(check_options ${import_options})
  if(arg_BACKENDS)
    list(JOIN arg_BACKENDS "," backends)
    list(APPEND check_options --backends=${backends})
  endif()
  set(lock_inputs "")
  if(arg_LOCK)
    cmake_path(ABSOLUTE_PATH arg_LOCK BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE lock)
    structured_lock_target(${name} ${lock} ${gen} check ${library_options} ${check_options} --source-root ${root}
      ${fragments})
    list(APPEND check_options --lock=${lock} --lock-target=${name}_update_lock)
    file(GLOB lock_inputs CONFIGURE_DEPENDS ${lock})  # if the file is missing, emit fails and explains how to make it
  endif()

  structured_tell_editors(${name} ROOT ${root} NAMESPACE ${arg_NAMESPACE} CPP_NAMESPACE ${arg_CPP_NAMESPACE}
    DIALECT ${arg_DIALECT} LOCK "${lock}" SOURCES ${sources} IMPORTS ${import_files} BACKENDS ${arg_BACKENDS})

  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${emitted} ${emitted_tables} ${emitted_boxed} ${headers} ${output_dir}/operators.json ${signatures}
    COMMAND ${gen} emit ${library_options} ${check_options} --source-root ${root} --output-dir ${output_dir}
            ${fragments}
    COMMAND ${CMAKE_COMMAND} -DMANIFEST=${output_dir}/emitted.manifest -DKNOWN=${known} -DRECONFIGURE=${reconfigure}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/StructuredEmittedHeaders.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${gen} ${fragments} ${inputs} ${import_files} ${lock_inputs}
    COMMENT "${name}: emitting operators"
    VERBATIM)
  add_custom_target(${name}_emit DEPENDS ${stamp})
  if(import_steps)
    add_dependencies(${name}_emit ${import_steps})
  endif()

  add_library(${name} ${kind} ${kernels} ${emitted} ${batches} ${boxed_batches})
  add_dependencies(${name} ${name}_emit)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${output_dir}/include>)
  # Emitted sources include the author's headers by their paths relative to the root.
  if(emitted)
    set_property(SOURCE ${emitted} APPEND PROPERTY COMPILE_OPTIONS "-iquote${root}")
    # A target's precompiled headers may have been compiled with other flags than sources with loops.
    set_property(SOURCE ${emitted} ${batches} ${boxed_batches} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
  # Sources emitted for scalar functions in a header contain loops to be vectorised.
  set(emitted_loops ${sources})
  list(FILTER emitted_loops INCLUDE REGEX "\\.(h|hh|hpp)$")
  if(emitted_loops AND emitted)
    list(TRANSFORM emitted_loops PREPEND ${output_dir}/src/)
    list(TRANSFORM emitted_loops APPEND .cpp)
    structured_loop_options(options)
    set_property(SOURCE ${emitted_loops} APPEND PROPERTY COMPILE_OPTIONS "${options}")
  endif()
  if(emitted)
    target_link_libraries(${name} PUBLIC structured::runtime)
    target_compile_features(${name} PUBLIC cxx_std_20)
  else()  # the sources use only the attributes of the runtime
    target_include_directories(${name} PRIVATE
      $<TARGET_PROPERTY:structured::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_features(${name} PUBLIC cxx_std_17)
  endif()
  if(arg_IMPORTS)
    structured_use_imports(${name} ${arg_CPP_NAMESPACE} ${arg_IMPORTS})
  endif()
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    STRUCTURED_INCLUDE_DIR ${output_dir}/include
    STRUCTURED_OPERATORS ${output_dir}/operators.json
    STRUCTURED_SIGNATURES ${signatures}
    STRUCTURED_NAMESPACE ${arg_NAMESPACE}
    STRUCTURED_CPP_NAMESPACE ${arg_CPP_NAMESPACE})
  set_property(TARGET ${name} APPEND PROPERTY EXPORT_PROPERTIES STRUCTURED_NAMESPACE STRUCTURED_CPP_NAMESPACE)
  if(arg_PLUGIN)
    structured_check_by_plugin(${name} ${plugin} ${arg_NAMESPACE} ${arg_DIALECT} ${kernels})
  endif()
  # The signature is the schema: a kernel has a parameter for every argument, used or not.
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-unused-parameter>
    # structured/annotate.h disables the warning with a pragma, which has no effect in a precompiled header.
    "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,12>>:-Wno-attributes=structured::>"
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unused-parameter>
    $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-Wno-unused-parameter>)
endfunction()

# structured_batches(RESULT PREFIX SOURCES...): writes PREFIX_0.cpp, ..., which include four sources each. Tables and
# boxed calls are short, so that most of their compile time is spent on the runtime's headers. Wrappers are not batched,
# since they may include headers of the author.
function(structured_batches result prefix)
  set(sources ${ARGN})
  list(LENGTH sources count)
  set(paths "")
  set(first 0)
  while(first LESS count)
    list(SUBLIST sources ${first} 4 batch)
    list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN batch "" text)
    math(EXPR number "${first} / 4")
    file(CONFIGURE OUTPUT ${prefix}_${number}.cpp CONTENT "${text}" @ONLY)
    list(APPEND paths ${prefix}_${number}.cpp)
    math(EXPR first "${first} + 4")
  endwhile()
  set(${result} ${paths} PARENT_SCOPE)
endfunction()

# structured_loop_options(RESULT): compiler options for loops over elements. Loops are vectorised in optimised builds,
# give equal results on all machines (no contraction to fused multiply-add), and need not set errno or trap.
function(structured_loop_options result)
  set(gnu "$<COMPILE_LANG_AND_ID:CXX,GNU>")
  set(both "$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>")
  set(${result}
    "$<${both}:-ffp-contract=off>" "$<${both}:-fno-math-errno>" "$<${both}:-fno-trapping-math>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:-ftree-vectorize>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:-fvect-cost-model=dynamic>"
    # A loop with a call is not vectorised, and `flatten` does not inline functions that GCC has not analysed yet.
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:--param=early-inlining-insns=500>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:--param=max-inline-insns-auto=1000>"
    PARENT_SCOPE)
endfunction()

# Adds the target NAME_update_lock, which writes the lock file from the current sources.
function(structured_lock_target name lock gen)
  set(fragments ${ARGN})
  list(FILTER fragments INCLUDE REGEX "\\.fragment\\.json$")
  add_custom_target(${name}_update_lock
    COMMAND ${gen} ${ARGN} --lock=${lock} --update-lock
    DEPENDS ${fragments}
    COMMENT "${name}: writing ${lock}"
    VERBATIM)
endfunction()

# structured_find_gen(RESULT): the command of the generator: a target, or STRUCTURED_GEN_EXECUTABLE.
function(structured_find_gen result)
  if(STRUCTURED_GEN_EXECUTABLE)
    set(${result} ${STRUCTURED_GEN_EXECUTABLE} PARENT_SCOPE)
  elseif(TARGET structured-gen)
    set(${result} structured-gen PARENT_SCOPE)
  elseif(TARGET structured::structured-gen)
    set(${result} structured::structured-gen PARENT_SCOPE)
  else()
    message(FATAL_ERROR "structured_add_library needs structured-gen: set STRUCTURED_BUILD_TOOL=ON to build it, or "
      "set STRUCTURED_GEN_EXECUTABLE to the path of a built one")
  endif()
endfunction()

# structured_find_plugin(RESULT NAME): the plugin's target. Its version of Clang must be the one that compiles the
# library NAME: another version would fail to load it, with an error about a missing symbol in every compilation.
function(structured_find_plugin result name)
  foreach(plugin IN ITEMS StructuredPlugin structured::StructuredPlugin)
    if(TARGET ${plugin})
      get_target_property(version ${plugin} STRUCTURED_CLANG_VERSION)
      structured_need_clang(${name} ${version})
      set(${result} ${plugin} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "structured_add_library(${name}): PLUGIN needs StructuredPlugin.so, which is not part of "
    "this build of Structured; build it with STRUCTURED_BUILD_TOOL=ON, or omit PLUGIN")
endfunction()

# Makes clang++ load the plugin for kernel sources; emitted sources need no checks, and nvcc cannot load it. A source
# may belong to several targets with different options. The plugin adds signatures.json to the dependencies of an
# object; the file is emitted before compilation and changes only if a signature changes.
function(structured_check_by_plugin name plugin namespace dialect)
  set(option -fplugin-arg-structured)
  set_property(TARGET ${name} PROPERTY STRUCTURED_PLUGIN_OPTIONS -fplugin=$<TARGET_FILE:${plugin}>
    ${option}-namespace=${namespace} ${option}-dialect=${dialect}
    ${option}-signatures=$<TARGET_PROPERTY:STRUCTURED_SIGNATURES>)
  set(options "$<GENEX_EVAL:$<TARGET_PROPERTY:STRUCTURED_PLUGIN_OPTIONS>>")
  set(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "\\.cu$")
  foreach(source IN LISTS sources)
    get_property(known SOURCE ${source} PROPERTY COMPILE_OPTIONS)
    if(NOT options IN_LIST known)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS "${options}")
    endif()
  endforeach()
  add_dependencies(${name} ${plugin})
endfunction()

# Fails if the project has not enabled CUDA: a function cannot enable a language.
function(structured_need_cuda name)
  if(CMAKE_CUDA_COMPILER)
    return()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  list(JOIN ARGN ", " sources)
  if(CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "structured_add_library(${name}): ${sources} needs CUDA, which this project does not enable; "
      "write project(... LANGUAGES CXX CUDA)")
  endif()
  message(FATAL_ERROR "structured_add_library(${name}): ${sources} needs CUDA, and no CUDA compiler was found; "
    "install the toolkit (12 or newer), or set CMAKE_CUDA_COMPILER to its path")
endfunction()

# structured_relative_sources(RESULT ROOT SOURCES...): the sources' paths relative to ROOT. Fails for a source that does
# not exist, is not below ROOT or is neither C++ nor CUDA.
function(structured_relative_sources result root)
  set(relative "")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root} NORMALIZE)
    cmake_path(IS_PREFIX root ${source} inside)
    if(NOT inside)
      message(FATAL_ERROR "structured_add_library: ${source} is not below ${root}; emitted code has the same folders as the sources")
    endif()
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "structured_add_library: source ${source} does not exist")
    endif()
    if(NOT source MATCHES "\\.(cpp|cc|cxx|cu|h|hh|hpp|cuh)$")
      message(FATAL_ERROR "structured_add_library: ${source} is neither C++ (.cpp, .cc, .cxx) nor CUDA (.cu) nor a "
        "header (.h, .hh, .hpp, .cuh)")
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${root})
    list(APPEND relative ${source})
  endforeach()
  set(${result} ${relative} PARENT_SCOPE)
endfunction()

# structured_touch_command(RESULT FILE): a command that touches a step's unchanged output. Without it, make would run
# the step in every build, since the output is older than its inputs. Ninja (`restat`) needs no such command.
function(structured_touch_command result file)
  if(CMAKE_GENERATOR MATCHES Ninja)
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} COMMAND ${CMAKE_COMMAND} -E touch ${file} PARENT_SCOPE)
  endif()
endfunction()

# structured_scan_flags(RESULT TARGET LANGUAGE FOLDER): writes the compiler flags of TARGET to a file for
# `structured-gen scan --flags-file`, which uses the flags that can change the meaning of a declaration. A
# command line cannot replace the file: generator expressions may depend on the language in properties, but not in
# commands.
function(structured_scan_flags flags_file target language folder)
  set(of_configurations "")
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER CMAKE_${language}_FLAGS_${configuration} name)
    string(APPEND of_configurations "$<$<CONFIG:${configuration}>:SHELL:${${name}}\n>")
  endforeach()
  string(TOLOWER ${language}_std feature)
  set(standards "-std=c++20\n")
  foreach(standard IN ITEMS 23 26)
    string(APPEND standards "$<$<OR:$<STREQUAL:$<TARGET_PROPERTY:${target},${language}_STANDARD>,${standard}>,"
      "$<IN_LIST:${feature}_${standard},$<TARGET_PROPERTY:${target},COMPILE_FEATURES>>>:-std=c++${standard}\n>")
  endforeach()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(lines "SHELL:${CMAKE_${language}_FLAGS}\n" "${of_configurations}" "${standards}"
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},\n-I>>\n"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>>\n"
    "$<JOIN:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,\n>\n")
  list(JOIN lines "" lines)
  set(file ${folder}/flags.$<CONFIG>)
  file(GENERATE OUTPUT ${file}.$<COMPILE_LANGUAGE> CONTENT "${lines}" TARGET ${target}
    CONDITION $<COMPILE_LANGUAGE:${language}>)
  set(${flags_file} ${file}.${language} PARENT_SCOPE)
endfunction()
