# Flags that every target of ours carries. Nothing here is directory-wide: a target asks for it.

# structured_own_flags(TARGET): warnings, errors if asked for, sanitizers.
function(structured_own_flags target)
  # First, so that a target's own options count: clang takes the last word on a warning.
  target_compile_options(${target} BEFORE PRIVATE -Wall -Wextra $<$<BOOL:${STRUCTURED_WERROR}>:-Werror>)
  # g++ 12 takes `"text" + std::string(...)` for a copy onto itself when it inlines it (its bug 105651).
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  # Functions of a library call each other straight, not by way of a table that lets a program replace them. Loops over
  # a tensor's dimensions are short, and stay loops: calls of memcpy in their place would cost more than all the rest.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND NOT APPLE AND NOT WIN32)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
                                             $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  endif()
  if(STRUCTURED_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE})
    # Instrumented, g++ 12 takes the empty state of a std::optional for an uninitialised value. The build without
    # sanitizers keeps the warning.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()
