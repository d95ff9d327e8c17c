// Consistency of the registry with the runtime.
#include <gtest/gtest.h>
#include <structured/dispatch/value.h>

namespace structured {
namespace {

TEST(Registry, NamesKindsOfValuesThatTheRuntimeHas) {
  constexpr Value::Kind kinds[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  Value::Kind::value,
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) Value::Kind::value,
#include "structured/schema/types.def"
  };
  for (const Value::Kind kind : kinds) EXPECT_NE(kind, Value::Kind::none);
}

}  // namespace
}  // namespace structured
