# structured_add_torch_library: from annotated kernel sources to a library of operators for PyTorch.
#
#   structured_add_torch_library(NAME SOURCES... [NAMESPACE ns] [IMPORTS aten] [STABLE_ABI version] [PYTHON_MODULE]
#     [NO_IMPLIED_OUT] [OPAQUE] [PLUGIN] [CHECK] [BACKENDS backends...] [LOCK file] [TESTS [samples.py]])
#
# The sources include <structured/torch.h> and libtorch's headers. The library registers its operators when it is loaded:
# by torch.ops.load_library in Python, or by linking it in C++. It links libtorch and no library of Structured. The arguments
# are those of structured_add_library. With IMPORTS aten, the sources may have kernels for PyTorch's own operators on other
# backends. With PYTHON_MODULE, the library is in the package python/NAME of the current binary directory: `import NAME`
# loads it, and the operators are functions of the package, with types in stubs. A build by scikit-build-core installs the
# package.
# With TESTS, which needs PYTHON_MODULE, the package python/NAME_tests has tests of all operators: by opcheck, torch.compile,
# torch.export, gradcheck, torch.vmap and AOTInductor. The test NAME:operators of CTest runs them, and so does
# `python3 -m NAME_tests`. The Python file has arguments for operators (structured/torch/operator_tests.py describes it); others
# are called with arguments by the types of their schemas.
# With CUDA among the BACKENDS, scalar functions in headers get kernels for CUDA, too. The project enables the language CUDA.
# With STABLE_ABI, the sources include <structured/torch_stable.h>, or <structured/torch.h>, which then includes it, and the library
# uses only the stable ABI of that version of PyTorch: the binary works in that version and in later ones.
#
# PyTorch is searched in Torch_DIR, in CMAKE_PREFIX_PATH, in the interpreter Python_EXECUTABLE, Python3_EXECUTABLE or that
# of the active virtual environment or python3, and last in the system's folders. TorchConfig.cmake is not used: that of
# wheels for CUDA fails without a toolkit, and finds other copies of PyTorch in the system's folders.

include(${CMAKE_CURRENT_LIST_DIR}/StructuredFindTorch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/StructuredTorchArchitectures.cmake)

function(structured_add_torch_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PYTHON_MODULE;NO_IMPLIED_OUT;OPAQUE;PLUGIN;CHECK" "NAMESPACE;LOCK;STABLE_ABI"
    "BACKENDS;IMPORTS;TESTS")
  foreach(each IN ITEMS STATIC SHARED MODULE OBJECT DIALECT CPP_NAMESPACE FLAVOUR SELECT CHECKED)
    if(each IN_LIST arg_UNPARSED_ARGUMENTS)
      message(FATAL_ERROR "structured_add_torch_library(${name}): unexpected ${each}; a library for PyTorch is SHARED, has "
        "the dialect torch, no C++ functions and no flavour")
    endif()
  endforeach()
  if(arg_IMPORTS AND NOT arg_IMPORTS STREQUAL aten)
    message(FATAL_ERROR "structured_add_torch_library(${name}): IMPORTS is ${arg_IMPORTS}; expected aten, PyTorch's own "
      "operators")
  endif()
  list(FIND ARGN TESTS has_tests)
  list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES TESTS)
  if(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES ", " keywords)
    message(FATAL_ERROR "structured_add_torch_library(${name}): expected a value after ${keywords}")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE ${name})
  endif()
  if(arg_NAMESPACE MATCHES "^(aten|prim|prims|_)$")
    message(FATAL_ERROR "structured_add_torch_library(${name}): NAMESPACE ${arg_NAMESPACE} belongs to PyTorch, which defines "
      "its operators already; use a name of your own, and IMPORTS aten to add kernels to PyTorch's operators")
  endif()
  set(options "")
  foreach(option IN ITEMS NO_IMPLIED_OUT OPAQUE PLUGIN CHECK)
    if(arg_${option})
      list(APPEND options ${option})
    endif()
  endforeach()
  if(arg_LOCK)
    list(APPEND options LOCK ${arg_LOCK})
  endif()
  if(arg_BACKENDS)
    list(APPEND options BACKENDS ${arg_BACKENDS})
  endif()
  structured_find_torch("structured_add_torch_library(${name})")
  set(dialect torch)
  if(arg_STABLE_ABI)
    structured_torch_target_version(target_version ${name} ${arg_STABLE_ABI} "${arg_IMPORTS}")
    set(dialect torch_stable)
  endif()
  if(arg_IMPORTS)
    structured_aten_library()
    list(APPEND options IMPORTS structured_aten)
  endif()
  structured_add_library(${name} SHARED ${arg_UNPARSED_ARGUMENTS} NAMESPACE ${arg_NAMESPACE} DIALECT ${dialect} ${options})
  if(arg_STABLE_ABI)
    target_compile_definitions(${name} PRIVATE TORCH_TARGET_VERSION=${target_version})
  endif()
  if(arg_PYTHON_MODULE)
    structured_torch_module(${name} ${arg_NAMESPACE} "${arg_STABLE_ABI}")
  endif()
  if(NOT has_tests EQUAL -1)
    structured_torch_tests(${name} "${arg_PYTHON_MODULE}" "${arg_TESTS}")
  endif()
endfunction()

# structured_torch_target_version(RESULT NAME VERSION IMPORTS): the number of a version of the stable ABI, in hexadecimal
# digits: the major version in the first byte, the minor one in the second.
function(structured_torch_target_version result name version imports)
  set(what "structured_add_torch_library(${name}): STABLE_ABI ${version}")
  if(imports)
    message(FATAL_ERROR "${what} with IMPORTS ${imports}: PyTorch's own operators have C++ classes, which the stable ABI "
      "lacks; put their kernels in a library without STABLE_ABI")
  endif()
  if(NOT version MATCHES "^([0-9]+)\\.([0-9]+)$" OR version VERSION_LESS 2.10)
    message(FATAL_ERROR "${what}: expected the first version of PyTorch in which the library is to work, 2.10 or later, such "
      "as 2.10")
  endif()
  get_target_property(found structured::torch STRUCTURED_TORCH_VERSION)
  if(found VERSION_LESS version)
    message(FATAL_ERROR "${what}: the headers are those of PyTorch ${found}; build with version ${version} or later")
  endif()
  math(EXPR number "(${CMAKE_MATCH_1} << 56) | (${CMAKE_MATCH_2} << 48)" OUTPUT_FORMAT HEXADECIMAL)
  set(${result} ${number} PARENT_SCOPE)
endfunction()

# structured_aten_library(): provides the target structured_aten, whose signatures describe the operators of the PyTorch that
# was found.
function(structured_aten_library)
  if(TARGET structured_aten)
    return()
  endif()
  structured_find_gen(gen)
  get_target_property(include_dirs structured::torch INTERFACE_INCLUDE_DIRECTORIES)
  list(GET include_dirs 0 include_dir)
  set(signatures ${CMAKE_CURRENT_BINARY_DIR}/structured_aten/signatures.json)
  list(TRANSFORM include_dirs PREPEND -isystem OUTPUT_VARIABLE include_flags)
  structured_compiler_flags(compiler_flags CXX)
  add_custom_command(
    OUTPUT ${signatures}
    COMMAND ${gen} aten-signatures -o ${signatures} -- -std=c++20 ${compiler_flags} ${include_flags}
    DEPENDS ${gen} ${include_dir}/ATen/Operators.h
    COMMENT "Reading the operators of PyTorch"
    VERBATIM)
  add_custom_target(structured_aten_emit DEPENDS ${signatures})
  add_library(structured_aten INTERFACE)
  set_target_properties(structured_aten PROPERTIES
    STRUCTURED_SIGNATURES ${signatures}
    STRUCTURED_NAMESPACE aten
    STRUCTURED_CPP_NAMESPACE at)
endfunction()

# Compiles and links a library of the dialect torch. Headers of PyTorch come before those of Structured, which may be in a
# folder of the system that has headers of another PyTorch.
function(structured_use_torch name)
  target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:structured::torch,INTERFACE_INCLUDE_DIRECTORIES>)
  target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:structured::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} PRIVATE structured::torch)
  # For targets that include <namespace>/ops.h.
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:$<TARGET_PROPERTY:structured::runtime,INTERFACE_INCLUDE_DIRECTORIES>>)
  target_link_libraries(${name} INTERFACE $<BUILD_INTERFACE:structured::torch>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  # g++ 12 warns falsely about ATen's loops.
  target_compile_options(${name} PRIVATE
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
endfunction()

# structured_torch_registrations(JOINED REGISTRATIONS OTHERS OUTPUT_DIR SOURCES...): writes a source that includes the emitted
# library.cpp and support.cpp, since most of their compile time is spent on the same headers of PyTorch. REGISTRATIONS is its
# path, and JOINED what it includes. The wrappers of a library with one source are included, too; those of several sources
# are compiled in parallel. OTHERS are the SOURCES that are compiled on their own.
function(structured_torch_registrations joined_result registrations_result others_result output_dir)
  set(others ${ARGN})
  set(joined ${output_dir}/library.cpp ${output_dir}/support.cpp)
  list(LENGTH others count)
  if(count EQUAL 1 AND NOT others MATCHES "\\.(h|hh|hpp)\\.cpp$")  # loops of headers have compiler options of their own
    list(PREPEND joined ${others})
    set(others "")
  endif()
  list(TRANSFORM joined REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" text)
  set(registrations ${output_dir}.batches/registrations.cpp)
  file(CONFIGURE OUTPUT ${registrations} CONTENT "${text}" @ONLY)
  set(${joined_result} ${joined} PARENT_SCOPE)
  set(${registrations_result} ${registrations} PARENT_SCOPE)
  set(${others_result} ${others} PARENT_SCOPE)
endfunction()

# structured_torch_header(RESULT NAME): the path of a file of the folder structured/torch among the headers.
function(structured_torch_header result name)
  get_target_property(include_dirs structured::runtime INTERFACE_INCLUDE_DIRECTORIES)
  foreach(include_dir IN LISTS include_dirs)
    string(REGEX REPLACE "^\\$<(BUILD|INSTALL)_INTERFACE:(.*)>$" "\\2" include_dir "${include_dir}")
    if(EXISTS ${include_dir}/structured/torch/${name})
      set(${result} ${include_dir}/structured/torch/${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "structured/torch/${name} is missing among the headers of Structured; install it again")
endfunction()

# structured_torch_json(SOURCE): lets SOURCE, which includes structured/torch/support.h, find declarations in place of
# nlohmann-json, which a header of PyTorch includes and PyTorch's wheel lacks.
function(structured_torch_json source)
  get_target_property(include_dirs structured::runtime INTERFACE_INCLUDE_DIRECTORIES)
  set(folders "")
  foreach(include_dir IN LISTS include_dirs)
    string(REGEX REPLACE "^\\$<(BUILD|INSTALL)_INTERFACE:(.*)>$" "\\2" include_dir "${include_dir}")
    if(EXISTS ${include_dir}/structured/torch/json_stand_in)
      list(APPEND folders -idirafter${include_dir}/structured/torch/json_stand_in)
    endif()
  endforeach()
  # After the system's folders, since headers of the author may use nlohmann-json.
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${folders})
endfunction()

# Compiles the CUDA sources of a library of the dialect torch with ATen's headers for CUDA, and links PyTorch's libraries for
# CUDA. They use the shared CUDA runtime, whose current device and streams the library must share.
function(structured_use_torch_cuda name)
  structured_find_torch_cuda("structured_add_torch_library(${name}) with CUDA")
  target_link_libraries(${name} PRIVATE structured::torch_cuda)
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>  # CMake 3.25 knows no standard of newer compilers
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--expt-relaxed-constexpr>
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>
    # Members of a structure that hold no arguments, and functions of headers that are not used.
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-diag-suppress 177>")
  set_target_properties(${name} PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
  structured_torch_cuda_architectures(architectures)
  if(architectures)
    set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
  endif()
endfunction()

# structured_torch_module(NAME NAMESPACE STABLE_ABI): puts the library into a Python package of its name. The package knows
# what the library was built with, and refuses another PyTorch before it opens the library.
function(structured_torch_module name namespace stable_abi)
  set(package ${CMAKE_CURRENT_BINARY_DIR}/python/${name})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package}/$<0:>)
  get_target_property(torch_version structured::torch STRUCTURED_TORCH_VERSION)
  get_target_property(cxx11_abi structured::torch STRUCTURED_TORCH_CXX11_ABI)
  string(REPLACE "." ", " stable_abi "(${stable_abi})")
  get_target_property(linked ${name} LINK_LIBRARIES)
  set(cuda_major None)
  if("structured::torch_cuda" IN_LIST linked)
    string(REGEX MATCH "^[0-9]+" cuda_major "${CMAKE_CUDA_COMPILER_VERSION}")
  endif()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/torch_package.py.in ${package}.py.in @ONLY)
  file(GENERATE OUTPUT ${package}/__init__.py INPUT ${package}.py.in TARGET ${name})

  structured_find_gen(gen)
  get_target_property(operators ${name} STRUCTURED_OPERATORS)
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.stubs)
  set(stubs __init__.pyi py.typed _shapes.py _sharding.py)
  set(modules shape shapes.py sharding sharding.py)
  if(NOT stable_abi STREQUAL "()")
    list(APPEND stubs _layers.py _decompositions.py)
    list(APPEND modules layer layers.py recording recording.py decomposition decompositions.py)
  endif()
  list(TRANSFORM stubs PREPEND ${package}/ OUTPUT_VARIABLE byproducts)
  set(copies "")
  foreach(file IN LISTS stubs)
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E copy_if_different ${output_dir}/${file} ${package}/${file})
  endforeach()
  add_custom_command(
    OUTPUT ${output_dir}.stamp
    BYPRODUCTS ${byproducts}
    COMMAND ${gen} python --module=${name} --output-dir ${output_dir} ${operators}
    ${copies}
    COMMAND ${CMAKE_COMMAND} -E touch ${output_dir}.stamp
    DEPENDS ${gen} ${name}_emit ${operators}
    COMMENT "${name}: emitting stubs for Python"
    VERBATIM)
  add_custom_target(${name}_stubs ALL DEPENDS ${output_dir}.stamp)

  while(modules)
    list(POP_FRONT modules module source)
    structured_torch_header(path ${source})
    configure_file(${path} ${package}/_${module}_functions.py COPYONLY)
    list(APPEND stubs _${module}_functions.py)
  endwhile()

  if(DEFINED SKBUILD)
    list(TRANSFORM stubs PREPEND ${package}/)
    install(TARGETS ${name} LIBRARY DESTINATION ${name})
    install(FILES ${package}/__init__.py ${stubs} DESTINATION ${name})
  endif()
endfunction()

# structured_torch_tests(NAME HAS_PACKAGE SAMPLES): writes the package NAME_tests, with tests of all operators of the library,
# beside the library's package, and adds a test that runs them.
function(structured_torch_tests name has_package samples)
  set(what "structured_add_torch_library(${name}): TESTS")
  if(NOT has_package)
    message(FATAL_ERROR "${what} needs PYTHON_MODULE: the tests import the package of the library")
  endif()
  if(samples)
    if(NOT samples MATCHES "^[^;]*\\.py$")
      list(JOIN samples " " samples)
      message(FATAL_ERROR "${what} ${samples}: expected at most one Python file, with samples of arguments")
    endif()
    get_filename_component(samples ${samples} ABSOLUTE)
    if(NOT EXISTS ${samples})
      message(FATAL_ERROR "${what}: the file ${samples} does not exist")
    endif()
  endif()
  get_target_property(operators ${name} STRUCTURED_OPERATORS)
  set(package ${CMAKE_CURRENT_BINARY_DIR}/python/${name}_tests)
  structured_torch_header(tests operator_tests.py)
  configure_file(${tests} ${package}/operator_tests.py COPYONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/torch_tests.py.in ${package}/test_operators.py @ONLY)
  file(CONFIGURE OUTPUT ${package}/__init__.py CONTENT "" @ONLY)
  file(CONFIGURE OUTPUT ${package}/__main__.py @ONLY CONTENT
    "from @name@_tests import operator_tests\n\noperator_tests.main('@name@_tests.test_operators')\n")

  structured_torch_python(python)
  if(python)
    add_test(NAME ${name}:operators COMMAND ${python} -m ${name}_tests)
    set_tests_properties(${name}:operators PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600
      ENVIRONMENT_MODIFICATION "PYTHONPATH=path_list_prepend:${CMAKE_CURRENT_BINARY_DIR}/python")
  else()
    add_test(NAME ${name}:operators COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no python3")
    set_tests_properties(${name}:operators PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
  endif()
endfunction()
