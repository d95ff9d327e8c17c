# structured_install_library: makes a library of operators installable, as a package that find_package finds.
#
#   structured_install_library(NAME [PACKAGE package] [VERSION version] [COMPONENT component]
#     [DEPENDENCIES "package arguments"...])
#
# Installs the library NAME, its emitted headers with signatures.json, and a package configuration, with which
# find_package(PACKAGE) provides the target PACKAGE::NAME. PACKAGE defaults to NAME, VERSION to the project's version; other
# versions of the same major version are compatible. Folders follow GNUInstallDirs; include it before to override them.
# The installed library finds libraries in its own folder and those that it was linked with. DEPENDENCIES are arguments of
# find_dependency for the packages of libraries that NAME links or imports, besides Structured.
#
# The target NAME_docs writes NAME.html, a page about the operators, which is installed if it exists.
function(structured_install_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;VERSION;COMPONENT" "DEPENDENCIES")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "structured_install_library(${name}): unexpected arguments or missing values: "
      "${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}; expected PACKAGE, VERSION, COMPONENT, DEPENDENCIES")
  endif()
  if(NOT TARGET ${name})
    message(FATAL_ERROR "structured_install_library(${name}): there is no target ${name}; call structured_add_library first")
  endif()
  get_target_property(include_dir ${name} STRUCTURED_INCLUDE_DIR)
  get_target_property(type ${name} TYPE)
  if(NOT include_dir OR NOT type MATCHES "^(SHARED|STATIC)_LIBRARY$")
    message(FATAL_ERROR "structured_install_library(${name}): expected a SHARED or STATIC library made by "
      "structured_add_library, got a target of type ${type}")
  endif()
  structured_need_dynamic("structured_install_library(${name})" ${name} "packages do not contain structured::edge_runtime")
  set(package ${name})
  if(arg_PACKAGE)
    set(package ${arg_PACKAGE})
  endif()
  set(version ${PROJECT_VERSION})
  if(arg_VERSION)
    set(version ${arg_VERSION})
  endif()
  if(NOT version MATCHES "^[0-9]+(\\.[0-9]+)*$")
    message(FATAL_ERROR "structured_install_library(${name}): expected a version like 1.2.0, got \"${version}\"; write "
      "project(... VERSION 1.2.0), or VERSION here")
  endif()
  set(component "")
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT})
  endif()
  include(GNUInstallDirs)
  include(CMakePackageConfigHelpers)

  string(REGEX MATCH "^[0-9]+" major ${version})
  set_target_properties(${name} PROPERTIES VERSION ${version} SOVERSION ${major})
  if(NOT APPLE)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${name} EXPORT ${package}_targets ${component})
  install(DIRECTORY ${include_dir}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${component})

  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
  install(EXPORT ${package}_targets FILE ${package}Targets.cmake NAMESPACE ${package}:: DESTINATION ${folder} ${component})
  set(text "include(CMakeFindDependencyMacro)\n")
  foreach(dependency IN ITEMS "Structured ${Structured_VERSION}" LISTS arg_DEPENDENCIES)
    string(STRIP "${dependency}" dependency)
    string(APPEND text "find_dependency(${dependency})\n")
  endforeach()
  string(APPEND text "include(\${CMAKE_CURRENT_LIST_DIR}/${package}Targets.cmake)\n")
  set(config ${CMAKE_CURRENT_BINARY_DIR}/${package}Config.cmake)
  file(CONFIGURE OUTPUT ${config} CONTENT "${text}" @ONLY)
  set(config_version ${CMAKE_CURRENT_BINARY_DIR}/${package}ConfigVersion.cmake)
  write_basic_package_version_file(${config_version} VERSION ${version} COMPATIBILITY SameMajorVersion)
  install(FILES ${config} ${config_version} DESTINATION ${folder} ${component})

  structured_find_gen(gen)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.html)
  get_target_property(operators ${name} STRUCTURED_OPERATORS)
  add_custom_target(${name}_docs
    COMMAND ${gen} docs -o ${page} ${operators}
    DEPENDS ${name}_emit
    COMMENT "${name}: writing ${page}"
    VERBATIM)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL ${component})
endfunction()
