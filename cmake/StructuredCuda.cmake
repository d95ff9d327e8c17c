# Options of targets with CUDA sources.

# structured_cuda_options(TARGET): how nvcc compiles the target's sources. Architectures are those of the project
# (CMAKE_CUDA_ARCHITECTURES, as for all targets). With STRUCTURED_CUDA_EMULATOR, which only this project's tests use,
# sources become PTX that the emulator in test/cuda/emulator interprets in place of the CUDA runtime.
function(structured_cuda_options target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--expt-relaxed-constexpr>
    # Comparisons of unsigned numbers with zero, in templates.
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-diag-suppress 186>")
  if(STRUCTURED_CUDA_EMULATOR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--no-compress>)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 80-virtual CUDA_RUNTIME_LIBRARY None)
    target_link_libraries(${target} PRIVATE structured_cuda_emulator)
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-compress-mode=size>)
    set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  endif()
endfunction()
