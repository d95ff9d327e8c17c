# FLAVOUR and SELECT of structured_add_library: how much of the registry of operators a library contains, and which
# operators and dtypes.

# structured_check_flavour(NAME FLAVOUR KIND DIALECT IMPORTS CHECKED): fails for arguments of the library NAME that exclude
# each other.
function(structured_check_flavour name flavour kind dialect imports checked)
  set(function "structured_add_library(${name})")
  if(NOT flavour MATCHES "^(dynamic|edge|static)$")
    message(FATAL_ERROR "${function}: unknown FLAVOUR \"${flavour}\"; expected dynamic, edge or static")
  endif()
  foreach(library IN LISTS imports)
    get_target_property(of_import ${library} STRUCTURED_FLAVOUR)
    if(of_import AND NOT of_import STREQUAL dynamic)
      message(FATAL_ERROR "${function}: IMPORTS names ${library}, whose FLAVOUR is ${of_import}; kernels are added to the "
        "operators of libraries of the flavour dynamic only")
    endif()
  endforeach()
  if(flavour STREQUAL dynamic)
    return()
  endif()
  if(NOT dialect STREQUAL native)
    message(FATAL_ERROR "${function}: FLAVOUR ${flavour} needs DIALECT native, got ${dialect}")
  endif()
  if(NOT kind MATCHES "^(STATIC|OBJECT)$")
    message(FATAL_ERROR "${function}: FLAVOUR ${flavour} is for programs that are linked statically; expected STATIC or "
      "OBJECT, got ${kind}")
  endif()
  if(imports)
    message(FATAL_ERROR "${function}: a library with IMPORTS adds kernels when it is loaded; expected FLAVOUR dynamic, "
      "got ${flavour}")
  endif()
  if(checked)
    message(FATAL_ERROR "${function}: CHECKED needs FLAVOUR dynamic, got ${flavour}")
  endif()
  if(NOT TARGET structured::edge_runtime)
    message(FATAL_ERROR "${function}: FLAVOUR ${flavour} needs structured::edge_runtime, which packages do not contain; use "
      "add_subdirectory or FetchContent")
  endif()
endfunction()

# structured_need_dynamic(FUNCTION LIBRARY REASON): fails, in the name of FUNCTION, unless LIBRARY has the flavour dynamic.
function(structured_need_dynamic function library reason)
  get_target_property(flavour ${library} STRUCTURED_FLAVOUR)
  if(flavour AND NOT flavour STREQUAL dynamic)
    message(FATAL_ERROR "${function}: ${library} has FLAVOUR ${flavour}; expected dynamic, since ${reason}")
  endif()
endfunction()

# structured_flavour_runtime(RESULT NAME FLAVOUR): the runtime that the library NAME links. A linker drops functions and data
# of edge and static libraries to which nothing refers.
function(structured_flavour_runtime result name flavour)
  if(flavour STREQUAL dynamic)
    set(${result} structured::runtime PARENT_SCOPE)
    return()
  endif()
  set(${result} structured::edge_runtime PARENT_SCOPE)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffunction-sections;-fdata-sections>")
endfunction()

# structured_find_selection(FILE DEFINITIONS NAME DIALECT SELECT): sets, for the library NAME, FILE to the path of the file
# SELECT, and DEFINITIONS to macro definitions with its dtypes (structured/number/visit.h).
function(structured_find_selection result definitions_result name dialect select)
  set(function "structured_add_library(${name})")
  if(NOT dialect STREQUAL native)
    message(FATAL_ERROR "${function}: SELECT needs DIALECT native, got ${dialect}")
  endif()
  cmake_path(ABSOLUTE_PATH select BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT EXISTS ${select})
    message(FATAL_ERROR "${function}: SELECT names ${select}, which does not exist; make it by `structured-gen select`")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${select})
  file(READ ${select} text)
  string(JSON count ERROR_VARIABLE problem LENGTH "${text}" dtypes)
  set(constants "")
  if(NOT problem AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON dtype MEMBER "${text}" dtypes ${i})
      list(APPEND constants "::structured::k${dtype}")
    endforeach()
    list(JOIN constants "|" constants)
    set(constants "STRUCTURED_SELECTED_DTYPES=(${constants})")
  endif()
  set(${result} ${select} PARENT_SCOPE)
  set(${definitions_result} "${constants}" PARENT_SCOPE)
endfunction()
