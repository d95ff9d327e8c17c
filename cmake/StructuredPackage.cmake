# Makes find_package(Structured) work, both with this build (Structured_DIR=<build>) and with an installation.
include(CMakePackageConfigHelpers)

# structured_installed_dir(RESULT PREFIX DIR): the path of CMAKE_INSTALL_<DIR>, which is below PREFIX or absolute.
function(structured_installed_dir result prefix dir)
  set(path "${CMAKE_INSTALL_${dir}}")
  if(NOT IS_ABSOLUTE "${path}")
    string(PREPEND path "${prefix}/")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

set(targets structured_runtime)
set(other_targets "")
set_target_properties(structured_runtime PROPERTIES EXPORT_NAME runtime)
if(TARGET structured_program)
  list(APPEND targets structured_program)
  set_target_properties(structured_program PROPERTIES EXPORT_NAME program INSTALL_RPATH "\$ORIGIN")
endif()
if(TARGET structured-run)
  file(RELATIVE_PATH libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(structured-run PROPERTIES INSTALL_RPATH "\$ORIGIN/${libraries}")
  list(APPEND other_targets structured-run)
  install(TARGETS structured-run DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT structured)
endif()
if(TARGET structured_cuda AND NOT STRUCTURED_CUDA_EMULATOR)
  list(APPEND targets structured_cuda)
  set_target_properties(structured_cuda PROPERTIES EXPORT_NAME cuda INSTALL_RPATH "\$ORIGIN")
  if(TARGET structured_kernels_cuda)  # opened by structured_cuda, and not linked
    set_target_properties(structured_kernels_cuda PROPERTIES INSTALL_RPATH "\$ORIGIN")
    list(APPEND other_targets structured_kernels_cuda)
    install(TARGETS structured_kernels_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT structured)
  endif()
endif()
if(TARGET structured-gen)
  list(APPEND targets structured-gen)
  install(PROGRAMS $<TARGET_FILE_DIR:structured-gen>/structured-lsp DESTINATION ${CMAKE_INSTALL_BINDIR}
    COMPONENT structured)  # a link
  if(TARGET StructuredPlugin)
    list(APPEND other_targets StructuredPlugin StructuredTidy)
    install(TARGETS StructuredPlugin EXPORT Structured DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT structured)
    install(TARGETS StructuredTidy DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT structured)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/structured COMPONENT structured)
  # Clang's builtin headers, which structured-gen needs: Clang may not be installed on the target machine.
  install(DIRECTORY ${STRUCTURED_CLANG_RESOURCE_DIR}/include
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/structured/clang/${LLVM_VERSION_MAJOR} COMPONENT structured)
endif()
if(TARGET structured_kernels)
  list(APPEND targets structured_kernels)
  set_target_properties(structured_kernels PROPERTIES
    EXPORT_NAME kernels
    INSTALL_RPATH "\$ORIGIN;${STRUCTURED_OPENBLAS_DIR}"  # the folder of OpenBLAS for OpenMP
    INSTALL_RPATH_USE_LINK_PATH ON)
  target_include_directories(structured_kernels INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  get_target_property(emitted structured_kernels STRUCTURED_INCLUDE_DIR)
  set(without_optim "")
  if(NOT STRUCTURED_BUILD_OPTIM)
    set(without_optim PATTERN structured/optim.h EXCLUDE)
  endif()
  install(DIRECTORY ${emitted}/ ${PROJECT_SOURCE_DIR}/kernels/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT structured ${without_optim})
endif()
foreach(library IN ITEMS kernels_quantized kernels_quantized_decomposed)
  if(TARGET structured_${library})
    list(APPEND targets structured_${library})
    set_target_properties(structured_${library} PROPERTIES EXPORT_NAME ${library} INSTALL_RPATH "\$ORIGIN")
    target_include_directories(structured_${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    get_target_property(emitted structured_${library} STRUCTURED_INCLUDE_DIR)
    install(DIRECTORY ${emitted}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT structured)
  endif()
endforeach()
if(TARGET structured_python)
  list(APPEND targets structured_python)
  set_target_properties(structured_python PROPERTIES EXPORT_NAME python INSTALL_RPATH "\$ORIGIN")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT structured)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Structured)
install(TARGETS ${targets} EXPORT Structured COMPONENT structured)
# Everything that is installed: `./dev package` builds it.
add_custom_target(structured_installed)
add_dependencies(structured_installed ${targets} ${other_targets})
install(FILES ${PROJECT_SOURCE_DIR}/runtime/gdb/structured_gdb.py DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RENAME $<TARGET_FILE_NAME:structured_runtime>-gdb.py COMPONENT structured)
# A gdb of the same prefix loads the file from here without being told to trust the library's folder.
structured_installed_dir(data_dir "\${CMAKE_INSTALL_PREFIX}" DATADIR)
structured_installed_dir(library_dir "\${CMAKE_INSTALL_PREFIX}" LIBDIR)
install(CODE "file(INSTALL ${PROJECT_SOURCE_DIR}/runtime/gdb/structured_gdb.py
  DESTINATION \"${data_dir}/gdb/auto-load${library_dir}\"
  RENAME $<TARGET_FILE_NAME:structured_runtime>-gdb.py)" COMPONENT structured)
install(EXPORT Structured FILE StructuredExports.cmake NAMESPACE structured:: DESTINATION ${package_dir}
  COMPONENT structured)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schema/structured ${PROJECT_SOURCE_DIR}/runtime/structured
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT structured
  FILES_MATCHING PATTERN *.h PATTERN *.hpp PATTERN *.cuh PATTERN *.def PATTERN *.py)
set(modules StructuredChecks.cmake StructuredCodegen.cmake StructuredCompiler.cmake StructuredCompilerFlags.cmake
  StructuredCuda.cmake StructuredEditors.cmake StructuredEmittedHeaders.cmake StructuredFindTorch.cmake
  StructuredFlavours.cmake StructuredImports.cmake StructuredInstall.cmake
  StructuredOperatorTests.cmake StructuredPython.cmake StructuredSources.cmake StructuredTorch.cmake
  StructuredTorchArchitectures.cmake torch_package.py.in torch_tests.py.in)
list(TRANSFORM modules PREPEND ${PROJECT_SOURCE_DIR}/cmake/)
install(FILES ${modules} DESTINATION ${package_dir} COMPONENT structured)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/operator_tests DESTINATION ${package_dir} COMPONENT structured)
set(STRUCTURED_MODULES ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/StructuredConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/StructuredConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS STRUCTURED_MODULES)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/StructuredConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/StructuredConfig.cmake ${PROJECT_BINARY_DIR}/StructuredConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT structured)

# pkg-config, for other build systems.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")  # the installation cannot be moved
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
  set(pc_prefix "\${pcfiledir}/${prefix_from_pc}")
endif()
foreach(dir IN ITEMS BINDIR DATADIR INCLUDEDIR LIBDIR)
  structured_installed_dir(pc_${dir} "\${prefix}" ${dir})
endforeach()
set(descriptions structured)
if(TARGET structured_kernels)
  list(APPEND descriptions structured-kernels)
endif()
foreach(description IN LISTS descriptions)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${description}.pc.in ${PROJECT_BINARY_DIR}/install/${description}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/install/${description}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT structured)
endforeach()

# A repository of Bazel, which names the installed files by relative links.
if(TARGET structured-gen)
  set(repository ${PROJECT_BINARY_DIR}/install/bazel)
  foreach(boundary IN ITEMS REPO.bazel WORKSPACE.bazel)
    file(CONFIGURE OUTPUT ${repository}/${boundary} CONTENT "")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/bazel/prefix.BUILD.bazel ${repository}/BUILD.bazel COPYONLY)
  configure_file(${PROJECT_SOURCE_DIR}/bazel/structured.bzl ${repository}/structured.bzl COPYONLY)
  set(runtime libstructured_runtime.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  foreach(link IN ITEMS bin/structured-gen=${CMAKE_INSTALL_FULL_BINDIR}/structured-gen
          clang=${CMAKE_INSTALL_FULL_LIBDIR}/structured/clang include/structured=${CMAKE_INSTALL_FULL_INCLUDEDIR}/structured
          lib/${runtime}=${CMAKE_INSTALL_FULL_LIBDIR}/${runtime})
    string(REGEX MATCH "^(.*)=(.*)$" link "${link}")
    cmake_path(GET CMAKE_MATCH_1 PARENT_PATH folder)
    set(file ${CMAKE_MATCH_1})
    file(RELATIVE_PATH target ${CMAKE_INSTALL_FULL_DATADIR}/structured/bazel/${folder} ${CMAKE_MATCH_2})
    file(MAKE_DIRECTORY ${repository}/${folder})
    file(CREATE_LINK ${target} ${repository}/${file} SYMBOLIC)
  endforeach()
  install(DIRECTORY ${repository} DESTINATION ${CMAKE_INSTALL_DATADIR}/structured COMPONENT structured)
endif()

export(EXPORT Structured FILE ${PROJECT_BINARY_DIR}/StructuredExports.cmake NAMESPACE structured::)
set(STRUCTURED_MODULES ${PROJECT_SOURCE_DIR}/cmake)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/StructuredConfig.cmake.in
  ${PROJECT_BINARY_DIR}/StructuredConfig.cmake INSTALL_DESTINATION ${PROJECT_BINARY_DIR}
  INSTALL_PREFIX ${PROJECT_BINARY_DIR} PATH_VARS STRUCTURED_MODULES)

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/StructuredDebian.cmake)
endif()
