#include "structured/core/array_ref.h"

#include <ostream>

namespace structured {

namespace {

template <class T>
std::ostream& write_list(std::ostream& out, ArrayRef<T> values) {
  out << '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out << ", ";
    out << values[i];
  }
  return out << ']';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, ArrayRef<int64_t> values) { return write_list(out, values); }
std::ostream& operator<<(std::ostream& out, ArrayRef<double> values) { return write_list(out, values); }
std::ostream& operator<<(std::ostream& out, ArrayRef<bool> values) {
  const std::ios_base::fmtflags flags = out.setf(std::ios_base::boolalpha);
  write_list(out, values);
  out.flags(flags);
  return out;
}

}  // namespace structured
