# Finds libtorch, for structured_add_torch_library.

# structured_find_torch(WHAT): provides the target structured::torch, the headers and libraries of PyTorch. Its property
# STRUCTURED_TORCH_VERSION is the version. WHAT needs it, for errors.
function(structured_find_torch what)
  if(TARGET structured::torch)
    return()
  endif()
  structured_torch_root(root origin "${what}")
  structured_torch_library(cpu torch_cpu ${root})
  structured_torch_library(c10 c10 ${root})
  structured_torch_version(version version_header ${root}/include)
  if(version VERSION_LESS 1.13)
    message(FATAL_ERROR "${what} needs PyTorch 1.13 or newer; found ${version} in ${root} (${origin}). Upgrade it with "
      "`pip install --upgrade torch`, or set Torch_DIR to a newer one")
  endif()
  add_library(structured::torch INTERFACE IMPORTED GLOBAL)
  set_target_properties(structured::torch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${root}/include;${root}/include/torch/csrc/api/include"
    INTERFACE_LINK_LIBRARIES "${cpu};${c10}"
    STRUCTURED_TORCH_VERSION ${version})
  # Earlier wheels were built with the old ABI of libstdc++. <structured/torch.h> compares the ABI with that of the project.
  set(definitions STRUCTURED_TORCH_CXX11_ABI=1)
  set(cxx11_abi True)
  set(config ${root}/share/cmake/Torch/TorchConfig.cmake)
  if(EXISTS ${config})
    file(STRINGS ${config} lines REGEX "D_GLIBCXX_USE_CXX11_ABI=0")
    if(lines)
      set(definitions STRUCTURED_TORCH_CXX11_ABI=0 _GLIBCXX_USE_CXX11_ABI=0)
      set(cxx11_abi False)
    endif()
  endif()
  set_target_properties(structured::torch PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "${definitions}"
    STRUCTURED_TORCH_CXX11_ABI ${cxx11_abi})
  # An upgrade in place changes the version.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL structured_compare_torch
    [[${root}]] [[${version}]] [[${origin}]])")
  message(STATUS "Found PyTorch ${version} in ${root} (${origin})")
endfunction()

# structured_compare_torch(ROOT VERSION ORIGIN): at the end of the project's top folder, fails if find_package(Torch) has found
# another PyTorch than structured_find_torch: a process with both ends in a crash. TorchConfig.cmake keeps the paths of its
# libraries in the cache, and may find some of them in the system's folders.
function(structured_compare_torch root version origin)
  if(NOT Torch_FOUND AND NOT TORCH_LIBRARY)
    return()
  endif()
  file(REAL_PATH ${root} root)
  foreach(variable IN ITEMS Torch_DIR TORCH_LIBRARY C10_LIBRARY c10_LIBRARY)
    if(NOT ${variable})
      continue()
    endif()
    set(folder "${${variable}}")
    if(NOT variable STREQUAL "Torch_DIR")
      cmake_path(GET folder PARENT_PATH folder)
      string(REGEX REPLACE "/lib(64)?(/[^/]+)?$" "" folder "${folder}")
    endif()
    structured_torch_at(other "${folder}")
    if(NOT other)
      continue()
    endif()
    file(REAL_PATH ${other} other)
    if(NOT other STREQUAL root)
      structured_torch_version(other_version ignored ${other}/include)
      message(FATAL_ERROR "structured_add_torch_library uses PyTorch ${version} in ${root} (${origin}), but "
        "find_package(Torch) has found ${other_version} in ${other} (${variable} is ${${variable}}). A process cannot hold "
        "both: set Torch_DIR to one of them, and remove ${variable} from the cache")
    endif()
  endforeach()
endfunction()

# structured_find_torch_cuda(WHAT): provides the target structured::torch_cuda, the libraries of PyTorch for CUDA and the
# headers of the toolkit's libraries, which ATen's headers include. PyTorch has been found.
function(structured_find_torch_cuda what)
  if(TARGET structured::torch_cuda)
    return()
  endif()
  get_target_property(include_dirs structured::torch INTERFACE_INCLUDE_DIRECTORIES)
  list(GET include_dirs 0 include_dir)
  cmake_path(GET include_dir PARENT_PATH root)
  structured_torch_library(cuda torch_cuda ${root})
  structured_torch_library(c10_cuda c10_cuda ${root})
  if(NOT cuda OR NOT c10_cuda)
    message(FATAL_ERROR "${what}: the PyTorch in ${root} is built for CPUs only; install one for CUDA, see "
      "https://pytorch.org/get-started/locally, or remove CUDA from BACKENDS")
  endif()
  add_library(structured::torch_cuda INTERFACE IMPORTED GLOBAL)
  set_target_properties(structured::torch_cuda PROPERTIES INTERFACE_LINK_LIBRARIES "${cuda};${c10_cuda}")
  # ATen includes headers of all libraries of the toolkit. Wheels beside PyTorch have what an incomplete toolkit lacks; they
  # come after the toolkit's own, which fit the compiler.
  find_path(toolkit cusolverDn.h PATHS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} NO_DEFAULT_PATH NO_CACHE)
  if(NOT toolkit)
    cmake_path(GET root PARENT_PATH packages)
    file(GLOB wheels ${packages}/nvidia/cu*/include)
    find_path(wheel cusolverDn.h PATHS ${wheels} NO_DEFAULT_PATH NO_CACHE)
    if(NOT wheel)
      message(FATAL_ERROR "${what}: ATen's headers need cusolverDn.h, which is neither in the CUDA toolkit "
        "(${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}) nor in wheels beside PyTorch (${packages}/nvidia); install all libraries "
        "of the toolkit")
    endif()
    set_property(TARGET structured::torch_cuda PROPERTY INTERFACE_COMPILE_OPTIONS
      "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-Xcompiler=-idirafter,${wheel}>")
  endif()
endfunction()

# structured_torch_root(ROOT ORIGIN WHAT): the folder with include/ATen and lib/libtorch_cpu.so, and how it was found.
function(structured_torch_root root_result origin_result what)
  set(looked "")
  if(Torch_DIR)
    structured_torch_at(root "${Torch_DIR}")
    if(NOT root)
      message(FATAL_ERROR "${what}: Torch_DIR is ${Torch_DIR}, which is not in a PyTorch with C++ headers and libraries; expected the "
        "folder that `python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'` prints")
    endif()
    set(${root_result} ${root} PARENT_SCOPE)
    set(${origin_result} "Torch_DIR" PARENT_SCOPE)
    return()
  endif()
  set(prefixes "$ENV{CMAKE_PREFIX_PATH}")
  string(REPLACE ":" ";" prefixes "${prefixes}")
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH prefixes)
    structured_torch_at(root "${prefix}")
    if(root)
      set(${root_result} ${root} PARENT_SCOPE)
      set(${origin_result} "CMAKE_PREFIX_PATH" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  structured_torch_python(python)
  set(reason "there is no python3")
  if(python)
    # The package is not imported, which takes seconds. A folder `torch` in the current directory, which an empty entry of the
    # path stands for, is ignored. PYTHONPATH, by which isolated builds find torch, and the user's packages are not.
    execute_process(COMMAND ${python} -c
        "import sys; sys.path = [p for p in sys.path if p]; import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s and s.origin else '')"
      OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      set(reason "${python} does not run")
    elseif(NOT package)
      set(reason "${python} has no package `torch`")
    else()
      structured_torch_at(root "${package}")
      if(root)
        set(${root_result} ${root} PARENT_SCOPE)
        set(${origin_result} "package of ${python}" PARENT_SCOPE)
        return()
      endif()
      set(reason "the package ${package} of ${python} has no C++ headers or no libraries")
    endif()
  endif()
  find_path(include ATen/core/TensorBase.h NO_CACHE)
  set(root "")
  if(include)
    cmake_path(GET include PARENT_PATH root)
    structured_torch_at(root ${root})
  endif()
  if(root)
    set(${root_result} ${root} PARENT_SCOPE)
    set(${origin_result} "system" PARENT_SCOPE)
    return()
  endif()
  if(NOT python)
    set(python python3)
  endif()
  message(FATAL_ERROR "${what} needs PyTorch with its C++ headers and libraries: ${reason}, and none is in Torch_DIR, CMAKE_PREFIX_PATH "
    "or the system's folders. Run `${python} -m pip install torch`, or install libtorch-dev (Debian), or set "
    "Python_EXECUTABLE to an interpreter that can import torch")
endfunction()

# structured_torch_at(RESULT FOLDER): the root of the PyTorch whose root, prefix or CMake package FOLDER is; empty if there
# is none.
function(structured_torch_at result folder)
  set(${result} "" PARENT_SCOPE)
  string(REGEX REPLACE "/+$" "" folder "${folder}")
  string(REGEX REPLACE "/Torch$" "" root "${folder}")
  string(REGEX REPLACE "(/share|/lib(64)?(/[^/]+)?)/cmake$" "" root "${root}")
  foreach(each IN ITEMS ${folder} ${root})
    structured_torch_library(library torch_cpu ${each})
    if(library AND EXISTS ${each}/include/ATen/core/TensorBase.h)
      set(${result} ${each} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# structured_torch_library(RESULT NAME ROOT): the path of a library of PyTorch; empty if there is none.
function(structured_torch_library result name root)
  find_library(path ${name} PATHS ${root}/lib ${root}/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${root}/lib64
    NO_DEFAULT_PATH NO_CACHE)
  if(NOT path)
    set(path "")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

# structured_torch_python(RESULT): the interpreter that the project uses; empty if there is none.
function(structured_torch_python result)
  set(candidates "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}")
  foreach(variable IN ITEMS VIRTUAL_ENV CONDA_PREFIX)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      list(APPEND candidates "$ENV{${variable}}/bin/python3")
    endif()
  endforeach()
  foreach(each IN LISTS candidates)
    if(each AND EXISTS "${each}")
      set(${result} ${each} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  find_program(python NAMES python3 python NO_CACHE)
  if(NOT python)
    set(python "")
  endif()
  set(${result} ${python} PARENT_SCOPE)
endfunction()

# structured_torch_version(RESULT HEADER INCLUDE_DIR): the version, such as 2.15.0, and the header that says so.
function(structured_torch_version result header_result include_dir)
  set(${result} 0 PARENT_SCOPE)
  set(${header_result} "" PARENT_SCOPE)
  foreach(header IN ITEMS torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS ${include_dir}/${header})
      set(version "")
      foreach(part IN ITEMS MAJOR MINOR PATCH)
        file(STRINGS ${include_dir}/${header} line REGEX "^#define TORCH_VERSION_${part} [0-9]+")
        string(REGEX MATCH "[0-9]+$" number "${line}")
        list(APPEND version ${number})
      endforeach()
      list(JOIN version "." version)
      if(version)
        set(${result} ${version} PARENT_SCOPE)
        set(${header_result} ${include_dir}/${header} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()
