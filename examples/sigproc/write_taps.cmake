# cmake -DTAPS=1,2,1 -DTEMPLATE=file -DOUTPUT=file -P write_taps.cmake
string(REPLACE "," ", " TAPS "${TAPS}")
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
