// Registers `[[structured::...]]` with Clang's parser, for programs that link Clang and for plugins.
#pragma once

namespace structured::gen {

/// Must be called before anything is parsed. Further calls have no effect.
void register_attributes();

}  // namespace structured::gen
