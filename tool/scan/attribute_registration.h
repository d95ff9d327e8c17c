// Makes Clang's parser know `[[structured::...]]`, in a program that links Clang as in a plugin.
#pragma once

namespace structured::gen {

/// To be called before anything is parsed. Further calls do nothing.
void register_attributes();

}  // namespace structured::gen
