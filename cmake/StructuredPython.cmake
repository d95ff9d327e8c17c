# structured_add_python_module: from a library of operators to an extension module of CPython.
#
#   structured_add_python_module(NAME LIBRARIES libraries... [PARTS count] [OUTPUT_DIRECTORY dir] [SELF_METHODS] [ABI3])
#
# LIBRARIES are made by structured_add_library, in this build. `import NAME` gives their operators as functions of the
# package `structured`'s tensors. An operator with [[structured::method]] and an in-place variant are also methods of
# Tensor; with SELF_METHODS each operator is whose first argument is the Tensor `self`. PARTS (default: 1) is the number of
# sources, which are compiled in parallel. The module, its stubs NAME.pyi and its documentation NAME_docs.py are in
# OUTPUT_DIRECTORY (default: the current binary directory). With ABI3, CPython 3.11 and all later versions load the module;
# otherwise those of the headers that it is built with.

# Restricts a target to the stable ABI, in which buffers came last, with CPython 3.11.
function(structured_use_stable_abi name)
  target_compile_definitions(${name} PRIVATE Py_LIMITED_API=0x030b0000)
endfunction()

# structured_python_module(NAME "ABI3" | "" SOURCES...): an extension module.
function(structured_python_module name abi3)
  Python3_add_library(${name} MODULE WITH_SOABI ${ARGN})
  if(abi3)
    structured_use_stable_abi(${name})
    set_target_properties(${name} PROPERTIES SUFFIX .abi3.so)
  endif()
endfunction()

function(structured_add_python_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SELF_METHODS;ABI3" "PARTS;OUTPUT_DIRECTORY" "LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "structured_add_python_module(${name}): unexpected ${arg_UNPARSED_ARGUMENTS}; expected LIBRARIES, "
      "PARTS, OUTPUT_DIRECTORY, SELF_METHODS or ABI3")
  endif()
  if(NOT arg_LIBRARIES)
    message(FATAL_ERROR "structured_add_python_module(${name}): expected LIBRARIES")
  endif()
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "structured_add_python_module(${name}): \"${name}\" is not an identifier")
  endif()
  if(NOT TARGET structured::python)
    message(FATAL_ERROR "structured_add_python_module(${name}) needs Structured's library for Python; build Structured with "
      "STRUCTURED_BUILD_PYTHON=ON")
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  structured_find_gen(gen)
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.gen)
  set(inputs "")
  set(steps "")
  foreach(library IN LISTS arg_LIBRARIES)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "structured_add_python_module(${name}): ${library} is not a target; add that library first")
    endif()
    get_target_property(aliased ${library} ALIASED_TARGET)
    if(aliased)
      set(library ${aliased})
    endif()
    get_target_property(operators ${library} STRUCTURED_OPERATORS)
    if(NOT operators)
      message(FATAL_ERROR "structured_add_python_module(${name}): ${library} has no operators; expected a library that "
        "structured_add_library has made in this build")
    endif()
    structured_need_dynamic("structured_add_python_module(${name})" ${library} "Python calls operators by their schemas")
    list(APPEND inputs ${operators})
    list(APPEND steps ${library}_emit)
  endforeach()

  set(sources ${output_dir}/module.cpp)
  math(EXPR last "${arg_PARTS} - 1")
  foreach(part RANGE ${last})
    list(APPEND sources ${output_dir}/tables_${part}.cpp)
  endforeach()
  set(options --module=${name} --parts=${arg_PARTS} --output-dir ${output_dir})
  if(arg_SELF_METHODS)
    list(APPEND options --self-methods)
  endif()
  set(stamp ${output_dir}.stamp)
  set(texts ${name}.pyi ${name}_docs.py)
  set(copies "")
  foreach(text IN LISTS texts)
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E copy_if_different ${output_dir}/${text} ${arg_OUTPUT_DIRECTORY}/${text})
  endforeach()
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${sources}
    COMMAND ${gen} python ${options} ${inputs}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${arg_OUTPUT_DIRECTORY}
    ${copies}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${gen} ${steps} ${inputs}
    COMMENT "${name}: emitting Python bindings"
    VERBATIM)
  add_custom_target(${name}_emit DEPENDS ${stamp})
  set(abi3 "")
  if(arg_ABI3)
    set(abi3 ABI3)
  endif()
  structured_python_module(${name} "${abi3}" ${sources})
  add_dependencies(${name} ${name}_emit)
  target_link_libraries(${name} PRIVATE structured::python ${arg_LIBRARIES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${arg_OUTPUT_DIRECTORY})
endfunction()
