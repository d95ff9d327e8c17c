# Flags that every target of ours carries. Nothing here is directory-wide: a target asks for it.

# structured_own_flags(TARGET): warnings, errors if asked for, sanitizers.
function(structured_own_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${STRUCTURED_WERROR}>:-Werror>)
  # g++ 12 takes `"text" + std::string(...)` for a copy onto itself when it inlines it (its bug 105651).
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  if(STRUCTURED_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE})
    # Instrumented, g++ 12 takes the empty state of a std::optional for an uninitialised value. The build without
    # sanitizers keeps the warning.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()
