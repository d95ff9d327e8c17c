# Debian package: `cpack` in the build folder makes structured-dev_<version>_<architecture>.deb from the installed
# files.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME structured-dev)
set(CPACK_PACKAGE_VENDOR "Structured")
set(CPACK_PACKAGE_CONTACT "Structured maintainers <maintainers@structured.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Turns annotated C++ functions into tensor operators.
Contains the generator structured-gen, its Clang plugin, the runtime, a library
of operators, and structured_add_library for CMake. Code that uses them is
compiled with g++ or clang++ and does not need Clang.")
set(CPACK_PACKAGE_FILE_NAME structured-dev)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # dpkg-shlibdeps finds the dependencies of programs and libraries
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.25), g++ (>= 4:12) | clang (>= 1:13)")
if(TARGET structured_kernels)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0-openmp)  # loaded at run time, so that dpkg-shlibdeps misses it
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${CPACK_PACKAGE_NAME} RENAME copyright
  COMPONENT structured)
include(CPack)
