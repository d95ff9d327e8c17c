# structured_add_operator_tests: tests of all operators of a library.
#
#   structured_add_operator_tests(NAME [SAMPLES file])
#
# Adds the program NAME_operator_tests and the test of that name. For each operator of the library NAME, a GoogleTest calls
# the functional, in-place, out= and Meta forms with sampled arguments and compares the results (operator_tests/).
# SAMPLES is a file with arguments of operators that reject those sampled from their schema, a line each:
#
#   conv1d input:T[1,2,4] weight:T[2,2,2]
function(structured_add_operator_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SAMPLES" "")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "structured_add_operator_tests(${name}): unexpected arguments or missing values: "
      "${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}; expected SAMPLES and a file")
  endif()
  if(NOT TARGET ${name})
    message(FATAL_ERROR "structured_add_operator_tests(${name}): there is no target ${name}; call structured_add_library first")
  endif()
  get_target_property(namespace ${name} STRUCTURED_NAMESPACE)
  get_target_property(cpp_namespace ${name} STRUCTURED_CPP_NAMESPACE)
  get_target_property(type ${name} TYPE)
  if(NOT namespace OR type STREQUAL MODULE_LIBRARY)
    message(FATAL_ERROR "structured_add_operator_tests(${name}): expected a SHARED, STATIC or OBJECT library made by "
      "structured_add_library, got a target of type ${type}")
  endif()
  structured_need_dynamic("structured_add_operator_tests(${name})" ${name} "tests call operators through the whole registry")
  find_package(GTest REQUIRED)
  string(REPLACE "::" "/" namespace_dir ${cpp_namespace})
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/operator_tests)  # where it is in an installation
  if(NOT EXISTS ${folder})
    cmake_path(SET folder NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../operator_tests)
  endif()
  set(program ${name}_operator_tests)
  add_executable(${program} ${folder}/operator_tests.cpp ${folder}/equal_values.cpp ${folder}/sample_calls.cpp)
  target_link_libraries(${program} PRIVATE ${name} structured::runtime GTest::gtest)
  target_compile_features(${program} PRIVATE cxx_std_20)
  target_compile_definitions(${program} PRIVATE
    "STRUCTURED_FIND_OPERATOR=<${namespace_dir}/find_operator.h>"
    STRUCTURED_LIBRARY_NAMESPACE="${namespace}"
    STRUCTURED_LIBRARY_CPP_NAMESPACE=${cpp_namespace})
  set(samples "")
  if(arg_SAMPLES)
    cmake_path(ABSOLUTE_PATH arg_SAMPLES BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE samples)
  endif()
  add_test(NAME ${program} COMMAND ${program} ${samples})
endfunction()
