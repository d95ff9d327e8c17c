#!/bin/sh
# Stands before the compiler and the linker, and makes them quick: the object of a source is its preprocessed text, and
# what is linked is its objects in a row. Still all of a build's commands run, and outputs differ where inputs do.
case " $* " in
*" -c "*) exec "$@" -E -P ;;
esac
output=
for argument; do
  if [ "$previous" = -o ]; then output=$argument; fi
  previous=$argument
done
for argument; do
  case $argument in *.o) cat "$argument" ;; esac
done > "$output"
