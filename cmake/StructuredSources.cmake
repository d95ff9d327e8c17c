# Sources of structured_add_library: their paths, how they are scanned, and how emitted sources are compiled.

# structured_find_sources(SOURCES GENERATED ROOT sources...): sets SOURCES to the sources' paths relative to ROOT, or, for
# outputs of the project's own commands, relative to the current binary directory; the latter are also in GENERATED.
# Fails for a source that no file and no command provides, is elsewhere or is neither C++ nor CUDA.
function(structured_find_sources result generated_result root)
  set(binary_dir ${CMAKE_CURRENT_BINARY_DIR})
  set(relative "")
  set(generated "")
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\$<")
      message(FATAL_ERROR "structured_add_library: ${source} is a generator expression; expected the path of a source, "
        "since the names of emitted files follow from it")
    endif()
    if(NOT source MATCHES "\\.(cpp|cc|cxx|cu|h|hh|hpp|cuh)$")
      message(FATAL_ERROR "structured_add_library: ${source} is neither C++ (.cpp, .cc, .cxx) nor CUDA (.cu) nor a "
        "header (.h, .hh, .hpp, .cuh)")
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${binary_dir} NORMALIZE OUTPUT_VARIABLE output)
    get_source_file_property(is_generated ${output} GENERATED)
    set(base ${root})
    if(is_generated AND NOT EXISTS ${path} OR is_generated AND path STREQUAL output)
      set(path ${output})
      set(base ${binary_dir})
    elseif(NOT EXISTS ${path})
      message(FATAL_ERROR "structured_add_library: source ${path} does not exist, and no command of this folder "
        "generates it; call add_custom_command before structured_add_library")
    endif()
    cmake_path(IS_PREFIX base ${path} inside)
    if(NOT inside)
      message(FATAL_ERROR "structured_add_library: ${path} is not below ${base}; emitted code has the same folders as "
        "the sources")
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${base})
    if(path IN_LIST relative)
      message(FATAL_ERROR "structured_add_library: ${path} is both below ${root} and below ${binary_dir}; rename one of "
        "them, since emitted code has the same folders as the sources")
    endif()
    list(APPEND relative ${path})
    if(base STREQUAL binary_dir)
      list(APPEND generated ${path})
    endif()
  endforeach()
  set(${result} ${relative} PARENT_SCOPE)
  set(${generated_result} ${generated} PARENT_SCOPE)
endfunction()

# structured_other_headers(RESULT NAME NAMESPACE OUTPUT_DIR ROOT GENERATED SOURCES...): sets RESULT to a file that lists the headers
# which other libraries of the project with this namespace have as sources, and this one has not. A header's operators belong
# to the library that lists it, and others may include it. CMake writes the file at the end of the project's top folder.
function(structured_other_headers result name namespace output_dir root generated)
  set(file ${output_dir}.other_headers)
  set(headers "")
  foreach(source IN LISTS ARGN)
    if(source IN_LIST generated)
      list(APPEND headers ${CMAKE_CURRENT_BINARY_DIR}/${source})
    else()
      list(APPEND headers ${root}/${source})
    endif()
  endforeach()
  list(FILTER headers INCLUDE REGEX "\\.(h|hh|hpp|cuh)$")
  get_property(names GLOBAL PROPERTY STRUCTURED_LIBRARIES_OF_${namespace})
  set_property(GLOBAL APPEND PROPERTY STRUCTURED_LIBRARIES_OF_${namespace} ${name})
  set_property(GLOBAL PROPERTY STRUCTURED_HEADERS_OF_${name} ${headers})
  set_property(GLOBAL PROPERTY STRUCTURED_OTHER_HEADERS_OF_${name} ${file})
  if(NOT names)
    cmake_language(EVAL CODE
      "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL structured_write_other_headers [[${namespace}]])")
  endif()
  set(${result} ${file} PARENT_SCOPE)
endfunction()

function(structured_write_other_headers namespace)
  get_property(names GLOBAL PROPERTY STRUCTURED_LIBRARIES_OF_${namespace})
  set(all "")
  foreach(name IN LISTS names)
    get_property(headers GLOBAL PROPERTY STRUCTURED_HEADERS_OF_${name})
    list(APPEND all ${headers})
  endforeach()
  list(REMOVE_DUPLICATES all)
  foreach(name IN LISTS names)
    get_property(own GLOBAL PROPERTY STRUCTURED_HEADERS_OF_${name})
    get_property(file GLOBAL PROPERTY STRUCTURED_OTHER_HEADERS_OF_${name})
    set(others ${all})
    if(own)
      list(REMOVE_ITEM others ${own})
    endif()
    list(JOIN others "\n" text)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
  endforeach()
endfunction()

# structured_refuse_unlisted(NAME SOURCES...): at the end of the project's top folder, fails if the target NAME has a source
# with annotations that is not in SOURCES: one that target_sources added, whose operators would be missing.
function(structured_refuse_unlisted name)
  set_property(TARGET ${name} PROPERTY STRUCTURED_SOURCES ${ARGN})
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL structured_find_unlisted [[${name}]])")
endfunction()

function(structured_find_unlisted name)
  get_target_property(known ${name} STRUCTURED_SOURCES)
  get_target_property(sources ${name} SOURCES)
  get_target_property(root ${name} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE path)
    if(source MATCHES "\\$<" OR path IN_LIST known OR NOT EXISTS ${path} OR IS_DIRECTORY ${path})
      continue()
    endif()
    file(READ ${path} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    if(text MATCHES "structured(::|:[ \t]+)(meta|impl|kernel|composite|pointwise|backward)[ \t\r\n]*\\(")
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE source)
      message(FATAL_ERROR "target_sources(${name}): ${source} has structured annotations, but is not scanned, so that its "
        "operators would be missing; pass it to structured_add_library(${name} ...)")
    endif()
  endforeach()
endfunction()

# Fails if the project has not enabled CUDA: a function cannot enable a language.
function(structured_need_cuda name)
  if(CMAKE_CUDA_COMPILER)
    return()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  list(JOIN ARGN ", " sources)
  if(CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "structured_add_library(${name}): ${sources} needs CUDA, which this project does not enable; "
      "write project(... LANGUAGES CXX CUDA)")
  endif()
  message(FATAL_ERROR "structured_add_library(${name}): ${sources} needs CUDA, and no CUDA compiler was found; "
    "install the toolkit (12 or newer), or set CMAKE_CUDA_COMPILER to its path")
endfunction()

# structured_scan_flags(RESULT TARGET LANGUAGE FOLDER): writes the compiler flags of TARGET to a file for
# `structured-gen scan --flags-file`, which uses the flags that can change the meaning of a declaration. Flags for the
# project's compiler come first, so that those of the project override them. A
# command line cannot replace the file: generator expressions may depend on the language in properties, but not in
# commands.
function(structured_scan_flags flags_file target language folder)
  set(of_configurations "")
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER CMAKE_${language}_FLAGS_${configuration} name)
    string(APPEND of_configurations "$<$<CONFIG:${configuration}>:SHELL:${${name}}\n>")
  endforeach()
  string(TOLOWER ${language}_std feature)
  set(standards "-std=c++20\n")
  foreach(standard IN ITEMS 23 26)
    string(APPEND standards "$<$<OR:$<STREQUAL:$<TARGET_PROPERTY:${target},${language}_STANDARD>,${standard}>,"
      "$<IN_LIST:${feature}_${standard},$<TARGET_PROPERTY:${target},COMPILE_FEATURES>>>:-std=c++${standard}\n>")
  endforeach()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  structured_compiler_flags(compiler_flags ${language})
  list(JOIN compiler_flags "\n" compiler_flags)
  set(lines "${compiler_flags}\n" "SHELL:${CMAKE_${language}_FLAGS}\n" "${of_configurations}" "${standards}"
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},\n-I>>\n"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>>\n"
    "$<JOIN:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,\n>\n")
  list(JOIN lines "" lines)
  set(file ${folder}/flags.$<CONFIG>)
  file(GENERATE OUTPUT ${file}.$<COMPILE_LANGUAGE> CONTENT "${lines}" TARGET ${target}
    CONDITION $<COMPILE_LANGUAGE:${language}>)
  set(${flags_file} ${file}.${language} PARENT_SCOPE)
endfunction()

# structured_scan_arguments(RESULT FRAGMENT SOURCE ARGUMENTS...): the response file of a scan. It is made at the end of
# the current folder, when all properties of the source are known: options, macros and include paths of the source are
# appended as `--flag`.
function(structured_scan_arguments result fragment source)
  set_property(GLOBAL PROPERTY "STRUCTURED_SCAN ${fragment}" ${ARGN})
  cmake_language(EVAL CODE "cmake_language(DEFER CALL structured_write_scan_arguments [[${fragment}]] [[${source}]])")
  set(${result} ${fragment}.$<CONFIG>.arguments PARENT_SCOPE)
endfunction()

function(structured_write_scan_arguments fragment source)
  get_property(arguments GLOBAL PROPERTY "STRUCTURED_SCAN ${fragment}")
  structured_source_flags(flags ${source})
  list(TRANSFORM flags PREPEND "--flag=")
  structured_response_file(arguments ${fragment} ${arguments} ${flags} ${source})
endfunction()

# structured_source_flags(RESULT SOURCE): the flags that properties of one source add to those of its target. Properties
# with an expression for a target are those of the plugin, which scans do not use.
function(structured_source_flags result source)
  set(flags "")
  foreach(property IN ITEMS COMPILE_FLAGS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES)
    get_property(values SOURCE ${source} PROPERTY ${property})
    foreach(value IN LISTS values)
      if(value MATCHES "TARGET_PROPERTY" OR
          property MATCHES "OPTIONS|FLAGS" AND NOT value MATCHES
          "(^|[:,; ])-(D|U|I|i|m|std|nostd|pthread|-?target|-sysroot|-?gcc-|f(no-)?(openmp|(un)?signed-char|short-|char8_t))")
        continue()
      endif()
      # The file is for C++, and the properties may say so.
      string(REGEX REPLACE "\\$<COMPILE_LANGUAGE:([A-Z]+,)*CXX(,[A-Z]+)*>" "1" value "${value}")
      string(REGEX REPLACE "\\$<COMPILE_LANG_AND_ID:CXX(,[A-Za-z]+)*,${CMAKE_CXX_COMPILER_ID}(,[A-Za-z]+)*>" "1" value
        "${value}")
      string(REGEX REPLACE "\\$<COMPILE_LANG(UAGE|_AND_ID):[A-Za-z,]*>" "0" value "${value}")
      if(property STREQUAL COMPILE_FLAGS)
        string(PREPEND value "SHELL:")
      elseif(property STREQUAL COMPILE_DEFINITIONS)
        string(PREPEND value "-D")
      elseif(property STREQUAL INCLUDE_DIRECTORIES)
        string(PREPEND value "-I")
      endif()
      list(APPEND flags "${value}")
    endforeach()
  endforeach()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# structured_wait_for_linked(NAME): at the end of the current folder, makes scans wait for the targets that NAME links, which
# may generate headers, except for the runtime and libraries of operators.
function(structured_wait_for_linked name)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL structured_add_linked_dependencies [[${name}]])")
endfunction()

function(structured_add_linked_dependencies name)
  get_target_property(linked ${name} LINK_LIBRARIES)
  foreach(item IN LISTS linked)
    if(NOT TARGET ${item})
      continue()
    endif()
    get_target_property(alias ${item} ALIASED_TARGET)
    if(alias)
      set(item ${alias})
    endif()
    get_target_property(is_imported ${item} IMPORTED)
    get_target_property(namespace ${item} STRUCTURED_NAMESPACE)
    if(NOT is_imported AND NOT namespace AND NOT item STREQUAL "structured_runtime")
      add_dependencies(${name}_emit ${item})
    endif()
  endforeach()
endfunction()

# structured_loop_options(RESULT): compiler options for loops over elements. Loops are vectorised in optimised builds,
# give equal results on all machines (no contraction to fused multiply-add), and need not set errno or trap.
function(structured_loop_options result)
  set(gnu "$<COMPILE_LANG_AND_ID:CXX,GNU>")
  set(both "$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>")
  set(${result}
    "$<${both}:-ffp-contract=off>" "$<${both}:-fno-math-errno>" "$<${both}:-fno-trapping-math>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:-ftree-vectorize>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:-fvect-cost-model=dynamic>"
    # A loop with a call is not vectorised, and `flatten` does not inline functions that GCC has not analysed yet.
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:--param=early-inlining-insns=500>"
    "$<$<AND:${gnu},$<NOT:$<CONFIG:Debug>>>:--param=max-inline-insns-auto=1000>"
    PARENT_SCOPE)
endfunction()

# structured_silence_warnings(NAME SOURCES...): compiler options against warnings that the form of kernels causes. The
# signature is the schema: a kernel has a parameter for every argument, used or not. Emitted code declares the author's
# functions and its own, and nobody deletes a structure of a meta function by a base class.
function(structured_silence_warnings name)
  # The plugin knows the attributes, and misspelt ones of the standard are reported.
  get_target_property(plugin ${name} STRUCTURED_PLUGIN_OPTIONS)
  set(clang_attributes "")
  if(NOT plugin)
    set(clang_attributes "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-unknown-attributes>")
  endif()
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-unused-parameter;-Wno-missing-declarations;-Wno-non-virtual-dtor>"
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-missing-prototypes>
    # structured/annotate.h disables the warning with a pragma, which has no effect in a precompiled header, nor after
    # `#pragma GCC diagnostic pop` of a source that includes our headers between `push` and `pop`.
    "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,12>>:-Wno-attributes=structured::>"
    "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,12>>:-Wno-attributes>"
    "${clang_attributes}"
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unused-parameter>
    $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-Wno-unused-parameter>)
  set_property(TARGET ${name} PROPERTY STRUCTURED_COMPILED ${ARGN})
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL structured_silence_enabled_warnings [[${name}]])")
endfunction()

# Disables the same warnings again where the project has enabled them for the target NAME, or by a library that it links,
# since later options take precedence. The options of a source are the last ones.
function(structured_silence_enabled_warnings name)
  get_target_property(sources ${name} STRUCTURED_COMPILED)
  get_target_property(options ${name} COMPILE_OPTIONS)
  get_target_property(libraries ${name} LINK_LIBRARIES)
  set(seen "")
  while(libraries)
    list(POP_FRONT libraries library)
    if(TARGET ${library} AND NOT library IN_LIST seen)
      list(APPEND seen ${library})
      foreach(variable IN ITEMS options libraries)
        string(REPLACE options INTERFACE_COMPILE_OPTIONS property ${variable})
        string(REPLACE libraries INTERFACE_LINK_LIBRARIES property ${property})
        get_target_property(more ${library} ${property})
        if(more)
          list(APPEND ${variable} ${more})
        endif()
      endforeach()
    endif()
  endwhile()
  if("${options}" MATCHES "-W(extra|everything|unused)")  # where these come last, they override -Wno- in Clang only
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${name} APPEND PROPERTY
      COMPILE_OPTIONS $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-unused-parameter>)
  endif()
  get_target_property(plugin ${name} STRUCTURED_PLUGIN_OPTIONS)
  if(NOT plugin AND "${options}" MATCHES "-W(everything|(error=)?(unknown-)?attributes)")
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${name} APPEND PROPERTY
      COMPILE_OPTIONS $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-unknown-attributes>)
  endif()
  foreach(warning IN ITEMS unused-parameter missing-declarations non-virtual-dtor missing-prototypes)
    if("${options}" MATCHES "-W(error=)?${warning}")
      set_property(SOURCE ${sources} TARGET_DIRECTORY ${name} APPEND PROPERTY
        COMPILE_OPTIONS "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-${warning}>")
    endif()
  endforeach()
endfunction()

# structured_batches(RESULT PREFIX SOURCES...): writes PREFIX_0.cpp, ..., which include several sources each. Tables and
# boxed calls are short, so that most of their compile time is spent on the runtime's headers. Batches are small, since a
# change of one operator compiles a whole batch; with STRUCTURED_UNITY_BUILD, builds from scratch matter more. Wrappers are
# not batched, since they may include headers of the author.
function(structured_batches result prefix)
  set(sources ${ARGN})
  list(LENGTH sources count)
  set(size 4)
  if(STRUCTURED_UNITY_BUILD)
    set(size 32)
  endif()
  set(paths "")
  set(first 0)
  set(number 0)
  while(first LESS count)
    list(SUBLIST sources ${first} ${size} batch)
    list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN batch "" text)
    file(CONFIGURE OUTPUT ${prefix}_${number}.cpp CONTENT "${text}" @ONLY)
    list(APPEND paths ${prefix}_${number}.cpp)
    set_property(SOURCE ${prefix}_${number}.cpp APPEND PROPERTY COMPILE_OPTIONS ${STRUCTURED_BATCH_OPTIONS})
    math(EXPR number "${number} + 1")
    math(EXPR first "${first} + ${size}")
  endwhile()
  set(${result} ${paths} PARENT_SCOPE)
endfunction()
