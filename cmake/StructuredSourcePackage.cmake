# Installs structured-gen with a CMake package that compiles the runtime from sources, for the wheel structured-gen: a library of
# the runtime would depend on the C++ library of the machine that builds it. The installation can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Structured)
set(source_dir ${CMAKE_INSTALL_DATADIR}/structured/source)
install(TARGETS structured-gen DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT wheel)
install(DIRECTORY ${STRUCTURED_CLANG_RESOURCE_DIR}/include
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/structured/clang/${LLVM_VERSION_MAJOR} COMPONENT wheel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/structured COMPONENT wheel)

# The part of this project that builds the runtime. Its folders schema and runtime are also the include folders.
install(FILES ${PROJECT_SOURCE_DIR}/CMakeLists.txt ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${source_dir} COMPONENT wheel)
install(DIRECTORY cmake options operator_tests schema runtime DESTINATION ${source_dir} COMPONENT wheel
  FILES_MATCHING PATTERN *.cmake PATTERN *.in PATTERN CMakeLists.txt
  PATTERN *.cpp PATTERN *.h PATTERN *.hpp PATTERN *.cu PATTERN *.cuh PATTERN *.def PATTERN *.py)

set(STRUCTURED_SOURCES ${source_dir})
set(STRUCTURED_PROGRAM ${CMAKE_INSTALL_BINDIR}/structured-gen)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/StructuredSourceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/StructuredConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS STRUCTURED_SOURCES STRUCTURED_PROGRAM)
# Without a comparison of the sizes of pointers, since the package contains sources.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/StructuredConfigVersion.cmake COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/install/StructuredConfig.cmake ${PROJECT_BINARY_DIR}/StructuredConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT wheel)
# The folder of the package is a repository of Bazel, too.
configure_file(${PROJECT_SOURCE_DIR}/bazel/wheel.BUILD.bazel.in ${PROJECT_BINARY_DIR}/install/BUILD.bazel @ONLY)
foreach(boundary IN ITEMS REPO.bazel WORKSPACE.bazel)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/install/${boundary} CONTENT "")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/install/BUILD.bazel ${PROJECT_BINARY_DIR}/install/REPO.bazel
  ${PROJECT_BINARY_DIR}/install/WORKSPACE.bazel ${PROJECT_SOURCE_DIR}/bazel/structured.bzl DESTINATION . COMPONENT wheel)
