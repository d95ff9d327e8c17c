# Predicts the headers that emit writes.
#
# Ninja reads the timestamp of every file once, before it runs any command. Unless a header is a declared output of
# emit, Ninja would notice its change one build too late. The names of headers follow from the names of operators, which
# regular expressions extract from the text of annotations. Emit writes the actual names to its manifest; if they
# differ, the next build configures again and uses the manifest.
#
# In script mode, this file runs after emit:
#   cmake -DOUTPUT_DIR=dir -DKNOWN=file -DRECONFIGURE=file -DGEN=program -DARGUMENTS=file -P this file
# It compares predicted and actual names. It also emits again if a file is missing: Ninja removes the outputs of the step
# that an interrupt stops, and emitted files are outputs of the step that runs this script.

# structured_emitted_headers(RESULT OUTPUT_DIR CPP_NAMESPACE IMPORTED SOURCES...): paths relative to OUTPUT_DIR.
# IMPORTED are the schema namespaces of other libraries, whose operators get no headers here.
function(structured_emitted_headers result output_dir cpp_namespace imported)
  string(REPLACE "::" "/" prefix include/${cpp_namespace})
  set(headers ${prefix}/documentation.h ${prefix}/export.h ${prefix}/find_operator.h ${prefix}/operators.h)
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

  # If the last prediction differed from the manifest, the manifest is right. Otherwise the new prediction is better,
  # since sources may have been added since the last emit.
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

# structured_annotated_names(RESULT SOURCE): names of the variants that annotations in SOURCE define.
function(structured_annotated_names result source)
  set(text "")
  if(EXISTS ${source})  # a generated source may not exist yet
    file(READ ${source} text)
  endif()
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

# structured_base_name(RESULT NAME): the name without namespace, overload and in-place suffix: `aten::add_.Tensor` ->
# `add`.
function(structured_base_name result name)
  string(REGEX REPLACE "^.*::" "" name ${name})
  string(REGEX REPLACE "\\..*$" "" name ${name})
  if(NOT name MATCHES "__$")
    string(REGEX REPLACE "_$" "" name ${name})
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(manifest ${OUTPUT_DIR}/emitted.manifest)
  file(STRINGS ${manifest} emitted REGEX "^[^#]")
  foreach(path IN LISTS emitted)
    if(NOT EXISTS ${OUTPUT_DIR}/${path})
      execute_process(COMMAND ${GEN} emit @${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
      break()
    endif()
  endforeach()
  structured_manifest_headers(headers ${manifest})
  file(STRINGS ${KNOWN} known)
  if(NOT headers STREQUAL known)
    file(TOUCH ${RECONFIGURE})
  endif()
endif()
