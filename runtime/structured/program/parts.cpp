#include "structured/program/parts.h"

#include <algorithm>

#include "structured/core/tensor.h"

namespace structured::program {

ListOfViews list_of_views(std::string_view op) {
  for (const ListOfViews& entry : kListsOfViews) {
    if (entry.op == op) return entry;
  }
  return {};
}

bool find_boundaries(Division division, ArrayRef<Value> arguments, std::size_t count,
                     std::vector<int64_t>& boundaries) {
  const Value &self = arguments[0], &dim = arguments[arguments.size() - 1];
  if (!self.is(Value::Kind::tensor) || !self.to_tensor().defined() || !dim.is(Value::Kind::integer)) return false;
  const int64_t rank = self.to_tensor().dim();
  if (dim.to_int() < -rank || dim.to_int() >= rank) return false;
  const int64_t size = self.to_tensor().size(dim.to_int());
  boundaries.assign(1, 0);
  if (division == Division::lengths) {
    if (!arguments[1].is(Value::Kind::int_list)) return false;
    for (const int64_t length : arguments[1].to_int_list()) {
      if (length < 0 || length > size - boundaries.back()) return false;
      boundaries.push_back(boundaries.back() + length);
    }
    return boundaries.size() == count + 1 && boundaries.back() == size;
  }
  int64_t length = 1;
  if (division != Division::positions) {
    if (!arguments[1].is(Value::Kind::integer) || arguments[1].to_int() <= 0 || size == 0) return false;
    const int64_t number = arguments[1].to_int();
    length = division == Division::length ? number : (size - 1) / number + 1;
  }
  // No view begins after the end, however long the views are.
  while (boundaries.back() < size && boundaries.size() <= count) {
    boundaries.push_back(boundaries.back() + std::min(length, size - boundaries.back()));
  }
  return boundaries.size() == count + 1 && boundaries.back() == size;
}

}  // namespace structured::program
