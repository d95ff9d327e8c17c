# IMPORTS of structured_add_library: operators that other libraries define and this one has kernels for. What these
# libraries promise is in their signatures.json, which stands beside their emitted headers, and is installed with them.

# structured_find_imports(NAME IMPORTS...): sets, for the library NAME,
#   import_files       signatures.json of each import
#   import_options     what tells emit of them
#   import_prefixes    what tells scan of their headers, which may not be there yet
#   import_namespaces  their schema namespaces
#   import_steps       targets to wait for before the files are read
function(structured_find_imports name)
  foreach(variable IN ITEMS import_files import_options import_prefixes import_namespaces import_steps)
    set(${variable} "")
  endforeach()
  foreach(library IN LISTS ARGN)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "structured_add_library(${name}): IMPORTS names ${library}, which is no target here; add that "
        "library first, or find its package")
    endif()
    structured_signatures(file ${library})
    if(NOT file)
      message(FATAL_ERROR "structured_add_library(${name}): IMPORTS names ${library}, which has no signatures.json; "
        "expected a library made by structured_add_library, and installed with its emitted headers")
    endif()
    get_target_property(schema_namespace ${library} STRUCTURED_NAMESPACE)
    get_target_property(cpp_namespace ${library} STRUCTURED_CPP_NAMESPACE)
    string(REPLACE "::" "/" prefix ${cpp_namespace})
    list(APPEND import_files ${file})
    list(APPEND import_options --import=${file})
    list(APPEND import_namespaces ${schema_namespace})
    foreach(emitted IN ITEMS ops export.h find_operator.h operators.h)
      list(APPEND import_prefixes --emitted-include-prefix=${prefix}/${emitted})
    endforeach()
    get_target_property(aliased ${library} ALIASED_TARGET)
    if(aliased)
      set(library ${aliased})
    endif()
    if(TARGET ${library}_emit)
      list(APPEND import_steps ${library}_emit)
    endif()
  endforeach()
  foreach(variable IN ITEMS import_files import_options import_prefixes import_namespaces import_steps)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

# A library's signatures.json: one that is built here knows it; of one that comes from a package, the property would be a
# path on the machine where the package was made, so it is looked for among the library's headers.
function(structured_signatures result library)
  get_target_property(file ${library} STRUCTURED_SIGNATURES)
  if(NOT file)
    get_target_property(cpp_namespace ${library} STRUCTURED_CPP_NAMESPACE)
    get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
    if(cpp_namespace AND folders)
      string(REPLACE "::" "/" prefix ${cpp_namespace})
      list(TRANSFORM folders APPEND /${prefix}/signatures.json)
      foreach(candidate IN LISTS folders)
        if(EXISTS ${candidate})
          set(file ${candidate})
          break()
        endif()
      endforeach()
    endif()
  endif()
  if(NOT file)
    set(file "")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# structured_use_imports(NAME CPP_NAMESPACE IMPORTS...): links the library NAME with its imports, and makes those who link
# NAME keep it. Its kernels enter the operators' tables by themselves, so that nobody need name any of its functions; but
# linkers drop a library, or what is in an archive, if nobody does.
function(structured_use_imports name cpp_namespace)
  target_link_libraries(${name} PUBLIC ${ARGN})
  get_target_property(type ${name} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    string(REPLACE "::" "_" id ${cpp_namespace})
    set(symbol structured_imports_of_${id})
    if(APPLE)
      set(symbol _${symbol})
    endif()
    target_link_options(${name} INTERFACE LINKER:-u,${symbol})
  elseif(NOT APPLE)
    target_link_libraries(${name} INTERFACE
      -Wl,--push-state,--no-as-needed,$<TARGET_LINKER_FILE:$<TARGET_NAME:${name}>>,--pop-state)
  endif()
endfunction()
