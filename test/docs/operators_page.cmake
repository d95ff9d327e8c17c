# Fails if docs/operators.md is out of date: -DGEN=structured-gen -DOPERATORS=FILE -DPAGE=FILE -DWORK=FOLDER
execute_process(COMMAND ${GEN} docs ${OPERATORS} --source-url=../kernels -o ${WORK}/operators.md COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/operators.md ${PAGE} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "${PAGE} is out of date; make it by\n  ${GEN} docs ${OPERATORS} --source-url=../kernels -o ${PAGE}")
endif()
