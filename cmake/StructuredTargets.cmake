# Flags that every target of ours carries. Nothing here is directory-wide: a target asks for it.

# structured_own_flags(TARGET): warnings, errors if asked for, sanitizers.
function(structured_own_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${STRUCTURED_WERROR}>:-Werror>)
  if(STRUCTURED_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${STRUCTURED_SANITIZE})
  endif()
endfunction()
