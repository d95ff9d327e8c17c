# Makes the page of operators as WORK/operators.md and compares it with PAGE, or writes PAGE if UPDATE is set:
#   cmake -DGEN=structured-gen -DPYTHON=python3 -DREPLAY=structured-replay -DOPERATORS=operators.json -DWORK=FOLDER
#         -DPAGE=FILE [-DUPDATE=ON] -P operators_page.cmake
set(made ${WORK}/operators.md)
if(UPDATE)
  set(made ${PAGE})
endif()
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/operator_dtypes.py ${REPLAY} ${OPERATORS}
  ${WORK}/operator_dtypes.txt COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GEN} docs ${OPERATORS} --source-url=../kernels --dtypes=${WORK}/operator_dtypes.txt -o ${made}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${made} ${PAGE} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "${PAGE} is out of date; update it by building the target operators_page")
endif()
