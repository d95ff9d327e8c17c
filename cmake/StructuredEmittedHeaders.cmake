# Which headers emit will write, for Ninja.
#
# Ninja looks at every file once, before it runs anything. A header that emit changes would be noticed one build too
# late unless Ninja knows that emit writes it, so the build has to name the headers, which depend on the operators'
# names. They are read off the annotations' text, which is almost always right. Once emit has run, its manifest tells
# whether it was; if not, its names are taken, by configuring again at the next build.
#
# Run as a script, after emit, it asks for that: cmake -DMANIFEST=file -DKNOWN=file -DRECONFIGURE=file -P this file.

# structured_emitted_headers(RESULT OUTPUT_DIR CPP_NAMESPACE IMPORTED SOURCES...): paths relative to the output directory.
# IMPORTED are the schema namespaces of other libraries, whose operators have no headers here.
function(structured_emitted_headers result output_dir cpp_namespace imported)
  string(REPLACE "::" "/" prefix include/${cpp_namespace})
  set(headers ${prefix}/export.h ${prefix}/find_operator.h ${prefix}/operators.h)
  foreach(source IN LISTS ARGN)
    structured_annotated_names(names ${source})
    foreach(namespace IN LISTS imported)
      list(FILTER names EXCLUDE REGEX "^${namespace}::")
    endforeach()
    foreach(name IN LISTS names)
      structured_base_name(base ${name})
      list(APPEND headers ${prefix}/ops/${base}.h)
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(SORT headers)

  # Sources may have come or gone since emit ran, so its names are for texts that were misread before.
  set(read_file ${output_dir}.read)
  set(last_read "")
  if(EXISTS ${read_file})
    file(STRINGS ${read_file} last_read)
  endif()
  list(JOIN headers "\n" text)
  file(CONFIGURE OUTPUT ${read_file} CONTENT "${text}\n")
  if(EXISTS ${output_dir}/emitted.manifest)
    structured_manifest_headers(emitted ${output_dir}/emitted.manifest)
    if(NOT last_read STREQUAL emitted)
      set(headers ${emitted})
    endif()
  endif()
  set(${result} ${headers} PARENT_SCOPE)
endfunction()

function(structured_manifest_headers result manifest)
  file(STRINGS ${manifest} headers REGEX "^include/.*\\.h$")
  list(SORT headers)
  set(${result} ${headers} PARENT_SCOPE)
endfunction()

# Names of the variants that the annotations in a source define.
function(structured_annotated_names result source)
  file(READ ${source} text)
  string(REGEX MATCHALL "structured::(meta|kernel|composite|pointwise)[ \t\r\n]*\\([^()]*\\)" attributes "${text}")
  set(names "")
  foreach(attribute IN LISTS attributes)
    string(REGEX MATCHALL "\"[A-Za-z0-9_:.]+\"" literals "${attribute}")
    if(attribute MATCHES "^structured::(kernel|composite)" AND literals)
      list(GET literals 0 literals)  # backends follow
    endif()
    list(APPEND names ${literals})
  endforeach()
  list(TRANSFORM names REPLACE "\"" "")
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# `aten::add_.Tensor` -> `add`: no namespace, no overload, not the mark of an in-place variant.
function(structured_base_name result name)
  string(REGEX REPLACE "^.*::" "" name ${name})
  string(REGEX REPLACE "\\..*$" "" name ${name})
  if(NOT name MATCHES "__$")
    string(REGEX REPLACE "_$" "" name ${name})
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  structured_manifest_headers(headers ${MANIFEST})
  file(STRINGS ${KNOWN} known)
  if(NOT headers STREQUAL known)
    file(TOUCH ${RECONFIGURE})
  endif()
endif()
