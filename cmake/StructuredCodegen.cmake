# structured_add_library: from annotated kernel sources to a library.
#
#   structured_add_library(NAME SOURCES... [NAMESPACE ns] [CPP_NAMESPACE ns] [SHARED|STATIC|MODULE|OBJECT]
#     [DIALECT native|aten|torch|torch_stable] [FLAVOUR dynamic|edge|static] [SELECT file] [PLUGIN] [CHECK] [CHECKED]
#     [NO_IMPLIED_OUT] [OPAQUE] [IMPORTS libraries...] [BACKENDS backends...] [LOCK file])
#
# SOURCES are paths below the current source directory, or outputs of the project's commands below the current binary
# directory: C++, CUDA (.cu; the project enables the language CUDA), and headers, which are scanned and not compiled.
# Emitted code has the same folders. NAMESPACE (default: NAME) is the
# namespace of the schemas and of the public C++ functions; CPP_NAMESPACE overrides the latter. Other targets link NAME
# and include <ns/ops/<operator>.h>. PLUGIN makes clang++ check the sources while it compiles them; it also checks
# function bodies, which scans skip. `cmake --build . --target NAME_check` does this with any compiler, and with CHECK every
# build does. CHECKED makes every call of an operator check its kernel at run time (structured/check/check_call.h).
#
# FLAVOUR says how much of the registry of operators the library contains: everything (dynamic, the default), dispatch
# tables and no schema text or layers (edge), or a switch over the backends in place of the tables (static). Libraries of
# the flavours edge and static are STATIC or OBJECT and link structured::edge_runtime.
#
# SELECT is a file of `structured-gen select`: only the operators in it can be called by name, and kernels are compiled for
# the dtypes in it.
#
# NO_IMPLIED_OUT: operators have only the out= variants that `meta` and `pointwise` name.
# OPAQUE, for libraries for PyTorch: its compilers call scalar functions as a whole and do not see what they compute.
#
# IMPORTS are libraries made by this function, here or in a package, whose operators get kernels from this library.
# BACKENDS are the library's backends: a kernel for another one is an error, or, in the flavours edge and static, is left
# out. With CUDA among them, scalar functions in headers also get kernels for CUDA; the project enables the language CUDA.
# LOCK is a file with the schemas that the
# library promises: an incompatible change is an error. `cmake --build . --target NAME_update_lock` writes it.
#
# The steps, for sources a.cpp and b.cpp:
#
#   precompile   the runtime's headers, once for all sources of the library
#   scan         a.cpp -> a.fragment.json, b.cpp -> b.fragment.json; again when the source or a header it includes changes
#   emit         all fragments -> operators.json and C++; files whose bytes would not change are not touched
#   outputs      tells the build system which files there are now, in a step of its own: Ninja names all outputs of a
#                failed step, which would be in the way of an error in emit
#   compile      a.cpp, b.cpp and the emitted sources, after emit, since all of them may include emitted headers
#
# After an edit in a kernel's body, a build runs one scan, one emit that writes no C++, one compilation and one link.

# Functions have the policies of this file, and not those of the project that calls them. CMP0174: an empty value of a
# keyword defines a variable.
cmake_policy(VERSION 3.25)
if(POLICY CMP0174)
  cmake_policy(SET CMP0174 NEW)
endif()

set(STRUCTURED_GEN_EXECUTABLE "" CACHE FILEPATH
  "Path of a structured-gen to use instead of the one built here, for example when cross-compiling")

include(${CMAKE_CURRENT_LIST_DIR}/StructuredCompilerFlags.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredEmittedHeaders.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredImports.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredEditors.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredFlavours.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredSources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredCuda.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredChecks.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredInstall.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredOperatorTests.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredTorch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredPython.cmake)

function(structured_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;STATIC;MODULE;OBJECT;PLUGIN;CHECK;CHECKED;NO_IMPLIED_OUT;OPAQUE" "NAMESPACE;CPP_NAMESPACE;DIALECT;FLAVOUR;SELECT;LOCK" "IMPORTS;BACKENDS")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "structured_add_library(${name}): no sources given")
  endif()
  list(REMOVE_DUPLICATES sources)
  if(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES ", " keywords)
    message(FATAL_ERROR "structured_add_library(${name}): expected a value after ${keywords}")
  endif()
  set(kind "")
  foreach(each IN ITEMS SHARED STATIC MODULE OBJECT)
    if(arg_${each})
      list(APPEND kind ${each})
    endif()
  endforeach()
  list(LENGTH kind kinds)
  if(kinds GREATER 1)
    list(JOIN kind " and " kind)
    message(FATAL_ERROR "structured_add_library(${name}): expected one kind of library, got ${kind}")
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
  if(arg_NAMESPACE MATCHES "::")
    message(FATAL_ERROR "structured_add_library(${name}): NAMESPACE ${arg_NAMESPACE} is nested, but the namespace of schemas "
      "is one identifier, as in `vision::shift`; for nested C++ namespaces use CPP_NAMESPACE ${arg_NAMESPACE}")
  endif()
  if(NOT arg_DIALECT)
    set(arg_DIALECT native)
  endif()
  if(NOT arg_DIALECT MATCHES "^(native|aten|torch|torch_stable)$")
    message(FATAL_ERROR "structured_add_library(${name}): unknown DIALECT \"${arg_DIALECT}\"; expected native, aten, torch or torch_stable")
  endif()
  if(NOT arg_FLAVOUR)
    set(arg_FLAVOUR dynamic)
  endif()
  structured_check_flavour(${name} ${arg_FLAVOUR} "${kind}" ${arg_DIALECT} "${arg_IMPORTS}" "${arg_CHECKED}")
  if(arg_DIALECT MATCHES "^torch")
    structured_find_torch("structured_add_library(${name})")
  endif()
  if(arg_CHECKED AND NOT arg_DIALECT STREQUAL native)
    message(FATAL_ERROR "structured_add_library(${name}): CHECKED needs DIALECT native, got ${arg_DIALECT}; PyTorch has "
      "torch.library.opcheck")
  endif()

  if(arg_PLUGIN)
    structured_find_plugin(plugin ${name})
  endif()
  structured_find_imports(${name} ${arg_IMPORTS})
  structured_find_gen(gen)
  set(gen_file ${gen})
  if(TARGET ${gen})
    set(gen_file $<TARGET_FILE:${gen}>)
  endif()
  set(root ${CMAKE_CURRENT_SOURCE_DIR})
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.gen)
  set(fragment_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.scan)
  structured_find_sources(sources generated "${root}" ${sources})
  structured_scan_flags(flags_file ${name} CXX ${fragment_dir})
  set(cuda_sources ${sources})
  list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
  if(cuda_sources)
    structured_need_cuda(${name} ${cuda_sources})
    structured_scan_flags(cuda_flags_file ${name} CUDA ${fragment_dir})
  endif()

  # Kernels of scalar functions for CUDA, a source for each header.
  set(emitted_cuda "")
  if(CUDA IN_LIST arg_BACKENDS AND arg_DIALECT MATCHES "^(native|torch)$")
    set(emitted_cuda ${sources})
    list(FILTER emitted_cuda INCLUDE REGEX "\\.(h|hh|hpp)$")
    if(emitted_cuda)
      structured_need_cuda(${name} ${emitted_cuda})
      list(TRANSFORM emitted_cuda PREPEND ${output_dir}/src/)
      list(TRANSFORM emitted_cuda APPEND .cu)
    endif()
  endif()

  set(library_options --dialect=${arg_DIALECT} --namespace=${arg_NAMESPACE} --cpp-namespace=${arg_CPP_NAMESPACE})
  # Compilers of PyTorch, which it has since version 2, see into operators whose bodies the scan stores.
  set(scan_bodies "")
  set(precompile_bodies "")
  if(arg_DIALECT MATCHES "^torch" AND NOT arg_OPAQUE)
    get_target_property(torch_version structured::torch STRUCTURED_TORCH_VERSION)
    if(torch_version VERSION_GREATER_EQUAL 2)
      set(scan_bodies --scalar-graphs)
      set(precompile_bodies --bodies)
    endif()
  endif()
  if(arg_DIALECT MATCHES "^torch")
    list(APPEND scan_bodies --meta-functions)
  endif()
  set(pch ${fragment_dir}/runtime.pch)
  structured_touch_command(touch ${pch})
  structured_response_file(arguments ${pch} ${library_options} ${precompile_bodies} --flags-file ${flags_file} -o ${pch} --depfile ${pch}.d)
  add_custom_command(
    OUTPUT ${pch}
    COMMAND ${gen} precompile @${arguments}
    ${touch}
    DEPENDS ${gen} ${flags_file} ${arguments}
    DEPFILE ${pch}.d
    COMMENT "${name}: precompiling runtime headers"
    COMMAND_EXPAND_LISTS VERBATIM)

  set(kernels "")
  set(fragments "")
  set(emitted ${output_dir}/operators.cpp ${output_dir}/shared_bodies.cpp)
  set(joined "")  # emitted sources that `registrations` includes
  set(registrations "")
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
    set(base ${root})
    if(source IN_LIST generated)
      set(base ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    structured_scan_arguments(arguments ${fragment} ${base}/${source} ${library_options} ${scan_bodies} ${import_prefixes}
      --source-root ${base} ${start_options} --flags-file ${source_flags_file} -o ${fragment} --depfile ${fragment}.d)
    add_custom_command(
      OUTPUT ${fragment}
      COMMAND ${gen} scan @${arguments}
      ${touch}
      DEPENDS ${gen} ${start_inputs} ${base}/${source} ${arguments}
      DEPFILE ${fragment}.d
      COMMENT "${name}: scanning ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND kernels ${base}/${source})
    list(APPEND fragments ${fragment})
    string(REGEX REPLACE "\\.cpp$" "" stem ${source})
    list(APPEND emitted ${output_dir}/src/${stem}.cpp)
    list(APPEND emitted_tables ${output_dir}/src/${stem}.tables.cpp)
    list(APPEND emitted_boxed ${output_dir}/src/${stem}.boxed.cpp)
  endforeach()
  if(arg_DIALECT STREQUAL aten)  # emit writes JSON files only
    set(emitted "")
  elseif(arg_DIALECT MATCHES "^torch")
    list(REMOVE_ITEM emitted ${output_dir}/operators.cpp ${output_dir}/shared_bodies.cpp ${output_dir}/imports.cpp)
    if(arg_DIALECT STREQUAL torch)
      structured_torch_registrations(joined registrations emitted ${output_dir} ${emitted})
    else()
      list(APPEND emitted ${output_dir}/library.cpp)
    endif()
  endif()
  if(NOT arg_DIALECT STREQUAL native)
    set(emitted_tables "")
    set(emitted_boxed "")
  endif()
  structured_batches(batches ${output_dir}.batches/tables ${emitted_tables})
  structured_batches(boxed_batches ${output_dir}.batches/boxed ${emitted_boxed})

  # Delete fragments of sources that are no longer part of the library.
  file(GLOB_RECURSE old_fragments ${fragment_dir}/*.fragment.json)
  list(REMOVE_ITEM old_fragments ${fragments})
  foreach(old_fragment IN LISTS old_fragments)
    file(GLOB arguments ${old_fragment}.*.arguments)
    file(REMOVE ${old_fragment} ${old_fragment}.d ${arguments})
  endforeach()

  string(REPLACE "::" "/" namespace_dir ${arg_CPP_NAMESPACE})
  set(signatures ${output_dir}/include/${namespace_dir}/signatures.json)

  # Every run touches the stamps, but an emitted file only if its bytes change. The stamps are therefore the commands'
  # outputs, and the emitted files are by-products, whose own timestamps decide what is recompiled. The arguments, with
  # the list of sources, are an input, since removing a source makes no fragment newer.
  set(emit_stamp ${output_dir}.emitted)
  set(stamp ${output_dir}.stamp)

  set(headers "")
  if(arg_DIALECT STREQUAL native)
    structured_emitted_headers(headers ${output_dir} ${arg_CPP_NAMESPACE} "${import_namespaces}" ${kernels})
  elseif(arg_DIALECT STREQUAL torch)
    set(headers include/${namespace_dir}/ops.h)
  endif()
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
  set(roots --source-root ${root})
  if(generated)
    list(APPEND roots --generated-root ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(check_options ${import_options})
  if(arg_BACKENDS)
    list(JOIN arg_BACKENDS "," backends)
    list(APPEND check_options --backends=${backends})
  endif()
  if(arg_NO_IMPLIED_OUT)
    list(APPEND check_options --no-implied-out)
  endif()
  structured_other_headers(other_headers ${name} ${arg_NAMESPACE} ${output_dir} "${root}" "${generated}" ${sources})
  list(APPEND check_options --other-headers=${other_headers})
  set(lock_inputs "")
  if(arg_LOCK)
    cmake_path(ABSOLUTE_PATH arg_LOCK BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE lock)
    structured_lock_target(${name} ${lock} ${gen} check ${library_options} ${check_options} ${roots} ${fragments})
    list(APPEND check_options --lock=${lock} --lock-target=${name}_update_lock)
    file(GLOB lock_inputs CONFIGURE_DEPENDS ${lock})  # if the file is missing, emit fails and explains how to make it
  endif()

  set(editor_backends ${arg_BACKENDS})
  if(NOT arg_FLAVOUR STREQUAL dynamic)
    set(editor_backends "")
  endif()
  set(implied_out on)
  if(arg_NO_IMPLIED_OUT)
    set(implied_out off)
  endif()
  structured_tell_editors(${name} ROOT ${root} NAMESPACE ${arg_NAMESPACE} CPP_NAMESPACE ${arg_CPP_NAMESPACE}
    DIALECT ${arg_DIALECT} LOCK "${lock}" SOURCES ${sources} IMPORTS ${import_files} BACKENDS ${editor_backends}
    OTHER_HEADERS ${other_headers} IMPLIED_OUT "${implied_out}")

  set(emit_options "")
  if(arg_CHECKED)
    set(emit_options --checked)
  endif()
  if(NOT arg_FLAVOUR STREQUAL dynamic)
    list(APPEND emit_options --flavour=${arg_FLAVOUR})
  endif()
  set(selection "")
  if(arg_SELECT)
    structured_find_selection(selection selected_dtypes ${name} ${arg_DIALECT} ${arg_SELECT})
    list(APPEND emit_options --select=${selection})
  endif()
  structured_response_file(arguments ${output_dir} ${library_options} ${check_options} ${emit_options} ${roots}
    --output-dir ${output_dir} ${fragments})
  add_custom_command(
    OUTPUT ${emit_stamp}
    COMMAND ${gen} emit @${arguments}
    COMMAND ${CMAKE_COMMAND} -E touch ${emit_stamp}
    DEPENDS ${gen} ${fragments} ${arguments} ${import_files} ${lock_inputs} ${selection} ${other_headers}
    COMMENT "${name}: emitting operators"
    VERBATIM)
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${emitted} ${joined} ${emitted_cuda} ${emitted_tables} ${emitted_boxed} ${headers} ${output_dir}/operators.json ${signatures}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT_DIR=${output_dir} -DKNOWN=${known} -DRECONFIGURE=${reconfigure} -DGEN=${gen_file}
            -DARGUMENTS=${arguments} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/StructuredEmittedHeaders.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${emit_stamp}
    COMMENT "${name}: listing emitted files"
    VERBATIM)
  add_custom_target(${name}_emit DEPENDS ${stamp})
  if(import_steps)
    add_dependencies(${name}_emit ${import_steps})
  endif()

  structured_check_target(${name} "${arg_CHECK}" ${gen} ${fragment_dir} "${fragments};${import_files};${other_headers}"
    ${library_options} --other-headers=${other_headers} ${import_options} ${import_prefixes} ${roots} --flags-file ${flags_file} --pch ${pch} ${kernels})

  list(APPEND emitted ${registrations})
  # A wrapper may include headers of the author, which may clash in a batch; this project's headers do not.
  if(STRUCTURED_UNITY_LIBRARIES AND arg_DIALECT STREQUAL native)
    set(wrappers ${emitted})
    list(FILTER wrappers INCLUDE REGEX "^${output_dir}/src/")
    list(FILTER wrappers EXCLUDE REGEX "\\.(h|hh|hpp)\\.cpp$")
    list(REMOVE_ITEM emitted "" ${wrappers})
    structured_batches(wrapper_batches ${output_dir}.batches/wrappers ${wrappers})
    list(APPEND emitted ${wrapper_batches})
  endif()
  add_library(${name} ${kind} ${kernels} ${emitted} ${emitted_cuda} ${batches} ${boxed_batches})
  add_dependencies(${name} ${name}_emit)
  structured_refuse_unlisted(${name} ${kernels} ${emitted} ${emitted_cuda})
  structured_wait_for_linked(${name})
  if(arg_OBJECT)  # the objects may become a part of a shared library
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${output_dir}/include>)
  # Emitted sources include the author's headers by their paths relative to the root, or to that of generated sources.
  if(emitted)
    set(folders ${root})
    if(generated)
      list(APPEND folders ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    list(TRANSFORM folders PREPEND "-iquote")
    set_property(SOURCE ${emitted} ${emitted_cuda} APPEND PROPERTY COMPILE_OPTIONS ${folders})
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
  if(arg_DIALECT STREQUAL native)
    if(arg_SELECT)
      target_compile_definitions(${name} PRIVATE ${selected_dtypes})
    endif()
    structured_flavour_runtime(runtime ${name} ${arg_FLAVOUR})
    target_link_libraries(${name} PUBLIC ${runtime})
    target_compile_features(${name} PUBLIC cxx_std_20)
    if(emitted_cuda)
      target_link_libraries(${name} PUBLIC structured::cuda)
      structured_cuda_options(${name})
    endif()
  elseif(arg_DIALECT MATCHES "^torch")
    structured_use_torch(${name})
    if(arg_DIALECT STREQUAL torch AND (emitted_cuda OR cuda_sources))
      structured_use_torch_cuda(${name})
    endif()
    # Headers of libtorch otherwise include all of its operators.
    set_property(SOURCE ${emitted} ${emitted_cuda} APPEND PROPERTY COMPILE_DEFINITIONS AT_PER_OPERATOR_HEADERS)
    if(arg_DIALECT STREQUAL torch)
      structured_torch_json(${registrations})
    endif()
  else()  # the sources use only the attributes of the runtime
    target_include_directories(${name} PRIVATE
      $<TARGET_PROPERTY:structured::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_features(${name} PUBLIC cxx_std_17)
  endif()
  if(arg_IMPORTS AND arg_DIALECT STREQUAL native)
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
    STRUCTURED_CPP_NAMESPACE ${arg_CPP_NAMESPACE}
    STRUCTURED_FLAVOUR ${arg_FLAVOUR})
  set_property(TARGET ${name} APPEND PROPERTY EXPORT_PROPERTIES STRUCTURED_NAMESPACE STRUCTURED_CPP_NAMESPACE
    STRUCTURED_FLAVOUR)
  if(arg_PLUGIN)
    structured_check_by_plugin(${name} ${plugin} ${arg_NAMESPACE} ${arg_DIALECT} ${kernels})
  endif()
  structured_silence_warnings(${name} ${kernels} ${emitted} ${batches} ${boxed_batches})
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

# structured_response_file(RESULT FILE ARGUMENTS...): writes the arguments of a command to FILE, which takes the place of
# them on the command line: an error of the command then follows a short line. `--` and what follows it cannot be moved.
function(structured_response_file result file)
  set(lines "")
  foreach(argument IN LISTS ARGN)
    string(REPLACE "\\" "\\\\" argument "${argument}")
    string(REPLACE "\"" "\\\"" argument "${argument}")
    string(APPEND lines "\"${argument}\"\n")
  endforeach()
  file(GENERATE OUTPUT ${file}.$<CONFIG>.arguments CONTENT "${lines}")
  set(${result} ${file}.$<CONFIG>.arguments PARENT_SCOPE)
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
