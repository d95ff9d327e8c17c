#include "structured/program/pickle.h"

#include <utility>

#include "structured/base/error.h"

namespace structured::program {

Pickle::Pickle(std::string_view bytes, std::string name) : name_(std::move(name)) {
  PickleReader reader(bytes);
  STRUCTURED_CHECK(reader.error().empty(), name_, ": ", reader.error());
  values_ = std::move(reader.values());
  root_ = reader.root();
}

}  // namespace structured::program
