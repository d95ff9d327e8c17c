// The tool's list of operators that loaders of modules have themselves: selections leave them out.
#include <structured/dispatch/loaded_operators.h>
#include <structured/find_operator.h>
#include <structured/program/script_primitive.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "../../expect_error.h"

namespace structured::test {
namespace {

enum class Overloads { all, named, other };
struct Entry {
  std::string_view name;
  Overloads overloads;
};
constexpr Entry kEntries[] = {
#define STRUCTURED_SCRIPT_PRIMITIVE(name, overloads) {name, Overloads::overloads},
#include "structured/schema/program_operators.def"
};

TEST(ScriptPrimitives, AreThoseOfTheToolsList) {
  for (const Entry& entry : kEntries) {
    EXPECT_NE(program::find_script_primitive(entry.name), nullptr) << entry.name;
    EXPECT_EQ(find_operator(entry.name) != nullptr, entry.overloads == Overloads::named) << entry.name;
  }
}

// Loaders prefer the operators of libraries, so that the list must tell these from primitives by their overloads.
TEST(ScriptPrimitives, HaveOtherOverloadsThanOperators) {
  std::size_t compared = 0;
  detail::visit_loaded_libraries(
      [](void* context, ArrayRef<OperatorHandle> operators) {
        for (const OperatorHandle& op : operators) {
          const std::size_t dot = op.name.find('.');
          const std::string_view base = op.name.substr(0, dot);
          if (program::find_script_primitive(base) == nullptr) continue;
          ++*static_cast<std::size_t*>(context);
          const auto* const entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                                 [&](const Entry& candidate) { return candidate.name == base; });
          if (entry == std::end(kEntries)) {
            ADD_FAILURE() << base << " is not in the list";
            continue;
          }
          EXPECT_NE(entry->overloads, Overloads::all) << op.name;
          if (dot == std::string_view::npos) continue;
          const std::string_view overload = op.name.substr(dot + 1);
          EXPECT_TRUE(overload.starts_with("Tensor") || overload.starts_with("Scalar") || overload.starts_with("out"))
              << op.name;
        }
        return true;
      },
      &compared);
  EXPECT_GT(compared, 50U);
}

}  // namespace
}  // namespace structured::test
