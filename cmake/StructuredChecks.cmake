# Checks of structured_add_library beyond those of every build: lock files, function bodies, the compiler plugin.

# Adds the target NAME_update_lock, which writes the lock file from the current sources.
function(structured_lock_target name lock gen)
  set(fragments ${ARGN})
  list(FILTER fragments INCLUDE REGEX "\\.fragment\\.json$")
  add_custom_target(${name}_update_lock
    COMMAND ${gen} ${ARGN} --lock=${lock} --update-lock
    DEPENDS ${fragments}
    COMMENT "${name}: writing ${lock}"
    VERBATIM)
endfunction()

# structured_check_target(NAME IN_BUILD GEN FOLDER INPUTS ARGUMENTS...): adds the target NAME_check, which checks the sources
# among the arguments including function bodies, which scans skip. Warnings are errors. IN_BUILD makes it a part of the
# build. The check waits for INPUTS. CUDA sources are left out, since their flags differ.
function(structured_check_target name in_build gen folder inputs)
  set(stamp ${folder}/check.stamp)
  set(arguments ${ARGN})
  list(FILTER arguments EXCLUDE REGEX "\\.cu$")
  if(NOT arguments STREQUAL "${ARGN}")
    list(APPEND arguments --partial)
  endif()
  structured_response_file(arguments ${folder}/check ${arguments} --warnings-as-errors --stamp ${stamp} --depfile ${stamp}.d)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${gen} check @${arguments}
    DEPENDS ${gen} ${inputs} ${arguments}
    DEPFILE ${stamp}.d
    COMMENT "${name}: checking function bodies"
    VERBATIM)
  set(all "")
  if(in_build)
    set(all ALL)
  endif()
  add_custom_target(${name}_check ${all} DEPENDS ${stamp})
endfunction()

# structured_find_plugin(RESULT NAME): the plugin's target. Its version of Clang must be the one that compiles the
# library NAME: another version would fail to load it, with an error about a missing symbol in every compilation.
function(structured_find_plugin result name)
  foreach(plugin IN ITEMS StructuredPlugin structured::StructuredPlugin)
    if(TARGET ${plugin})
      get_target_property(version ${plugin} STRUCTURED_CLANG_VERSION)
      structured_need_clang(${name} ${version})
      set(${result} ${plugin} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "structured_add_library(${name}): PLUGIN needs StructuredPlugin.so, which is not part of "
    "this build of Structured; build it with STRUCTURED_BUILD_TOOL=ON, or omit PLUGIN")
endfunction()

# Makes clang++ load the plugin for kernel sources; emitted sources need no checks, and nvcc cannot load it. A source
# may belong to several targets with different options. The plugin adds signatures.json to the dependencies of an
# object; the file is emitted before compilation and changes only if a signature changes. Versions of sccache
# fail for `-fplugin=` or do not hash the plugin; `-load` works in all of them and in ccache.
function(structured_check_by_plugin name plugin namespace dialect)
  set(options -Xclang -load -Xclang $<TARGET_FILE:${plugin}>)
  foreach(argument IN ITEMS namespace=${namespace} dialect=${dialect} signatures=$<TARGET_PROPERTY:STRUCTURED_SIGNATURES>)
    list(APPEND options -Xclang -plugin-arg-structured -Xclang ${argument})
  endforeach()
  set_property(TARGET ${name} PROPERTY STRUCTURED_PLUGIN_OPTIONS "${options}")
  set(options "$<GENEX_EVAL:$<TARGET_PROPERTY:STRUCTURED_PLUGIN_OPTIONS>>")
  set(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "\\.cu$")
  foreach(source IN LISTS sources)
    get_property(known SOURCE ${source} PROPERTY COMPILE_OPTIONS)
    if(NOT options IN_LIST known)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS "${options}")
    endif()
  endforeach()
  add_dependencies(${name} ${plugin})
endfunction()
