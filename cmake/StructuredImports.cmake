# IMPORTS of structured_add_library: other libraries whose operators get kernels from this one. The file
# signatures.json, which is installed with a library's emitted headers, describes the library's operators.

# structured_find_imports(NAME IMPORTS...): sets, for the library NAME,
#   import_files       signatures.json of each import
#   import_options     options of emit that name these files
#   import_prefixes    options of scan that name their headers, which may not exist yet
#   import_namespaces  their schema namespaces
#   import_steps       targets to wait for before the files are read
function(structured_find_imports name)
  foreach(variable IN ITEMS import_files import_options import_prefixes import_namespaces import_steps)
    set(${variable} "")
  endforeach()
  foreach(library IN LISTS ARGN)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "structured_add_library(${name}): IMPORTS names ${library}, which is not a target; add that "
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
    foreach(emitted IN ITEMS ops documentation.h export.h find_operator.h operators.h)
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

# structured_signatures(RESULT LIBRARY): path of a library's signatures.json. A library that is built here has it as a
# property; for a library from a package, it is searched in the include directories, since the property would hold a
# path of the machine that made the package.
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

# structured_owner_kind(RESULT LIBRARY): the kind of a library, as in SHARED.
function(structured_owner_kind result library)
  get_target_property(type ${library} TYPE)
  string(REPLACE "_LIBRARY" "" type ${type})
  set(${result} ${type} PARENT_SCOPE)
endfunction()

# structured_use_imports(NAME CPP_NAMESPACE IMPORTS...): links the library NAME with its imports, and prevents linkers
# from dropping NAME. Programs need not refer to symbols of NAME, whose kernels enter the operators' tables when it is
# loaded. Linkers drop a library, or an archive member, to which nothing refers.
function(structured_use_imports name cpp_namespace)
  target_link_libraries(${name} PUBLIC ${ARGN})
  structured_owner_kind(kind ${name})
  foreach(owner IN LISTS ARGN)
    structured_owner_kind(owner_kind ${owner})
    if(kind MATCHES "SHARED|MODULE" AND owner_kind STREQUAL STATIC)
      message(FATAL_ERROR "structured_add_library(${name}): a ${kind} library cannot import ${owner}, which is STATIC: it "
        "would register its kernels in a copy of the operators' tables that no program sees; make ${owner} SHARED or "
        "${name} STATIC")
    endif()
  endforeach()
  if(kind MATCHES "MODULE|OBJECT")
    return()  # a program loads a module itself; objects are linked whether or not something refers to them
  endif()
  if(kind STREQUAL STATIC)
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
