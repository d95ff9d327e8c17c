# structured_need_compiler(WHAT OLDEST_CLANG): fails if the project's compilers are too old for WHAT, with a clearer
# error than the compiler's own. Other compilers than GCC, Clang and nvcc are not checked.
function(structured_need_compiler what oldest_clang)
  set(oldest_GNU 12)
  set(oldest_Clang ${oldest_clang})
  set(oldest_NVIDIA 12)
  foreach(language CXX CUDA)
    set(id "${CMAKE_${language}_COMPILER_ID}")
    if(NOT id OR NOT DEFINED oldest_${id} OR NOT CMAKE_${language}_COMPILER_VERSION VERSION_LESS oldest_${id})
      continue()
    endif()
    message(FATAL_ERROR "${what} needs C++20: g++ 12, clang++ ${oldest_clang}, nvcc 12 or newer; "
      "found ${id} ${CMAKE_${language}_COMPILER_VERSION} (${CMAKE_${language}_COMPILER}). "
      "Set CMAKE_${language}_COMPILER to a newer one.")
  endforeach()
endfunction()

# structured_need_clang(NAME VERSION): fails unless the project is compiled by this version of Clang, which the plugin
# needs.
function(structured_need_clang name version)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" expected "${version}")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^${expected}(\\.|$)")
    message(FATAL_ERROR "structured_add_library(${name}): StructuredPlugin.so is for Clang ${expected}, and this project "
      "is compiled by ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER}). Omit PLUGIN, "
      "or set CMAKE_CXX_COMPILER to clang++ ${expected}")
  endif()
endfunction()
