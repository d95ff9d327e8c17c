// Names allowed in attribute arguments, as far as they depend on the dialect.
#pragma once

#include <string>
#include <vector>

#include "model/annotation.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the backends that an attribute of that role may list.
std::vector<std::string> backends_for(const TypeTable& types, Role role);

}  // namespace structured::gen
