// compare_calls SAMPLE: makes each recorded call twice, by name and by the public function, and compares errors,
// results and written arguments bit for bit.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/dispatch/schema.h>
#include <structured/dispatch/value_tensors.h>
#include <structured/find_operator.h>
#include <structured/iterator/copy.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "case.h"
#include "unboxed.h"

namespace {

using namespace structured;

struct Outcome {
  std::string error;
  Stack values;  // results and arguments
};

template <class Call>
Outcome outcome_of(const replay::Case& recorded, const std::vector<SchemaArgument>& schema, const Call& call) {
  Outcome outcome;
  Stack arguments = replay::arguments_of(recorded, schema);
  manual_seed(0);
  try {
    outcome.values = call(arguments);
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  outcome.values.insert(outcome.values.end(), arguments.begin(), arguments.end());
  return outcome;
}

std::string bytes_of(const Tensor& tensor) {
  const Tensor dense = empty(tensor.sizes(), tensor.dtype());
  copy_into(dense, tensor);
  return std::string(static_cast<const char*>(dense.data()), dense.nbytes());
}

bool are_equal(const Tensor& a, const Tensor& b, bool compares_elements) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.strides() != b.strides() ||
      a.storage_offset() != b.storage_offset()) {
    return false;
  }
  return !compares_elements || a.numel() == 0 || bytes_of(a) == bytes_of(b);
}

bool are_equal(const Value& a, const Value& b, bool compares_elements) {
  if (a.kind() != b.kind()) return false;
  std::vector<Tensor> tensors[2];
  detail::visit_tensors_in(a, [&](const Tensor& tensor) { tensors[0].push_back(tensor); });
  detail::visit_tensors_in(b, [&](const Tensor& tensor) { tensors[1].push_back(tensor); });
  if (tensors[0].size() != tensors[1].size()) return false;
  for (std::size_t i = 0; i < tensors[0].size(); ++i) {
    if (!are_equal(tensors[0][i], tensors[1][i], compares_elements)) return false;
  }
  std::ostringstream text[2];
  text[0] << a;
  text[1] << b;
  return text[0].str() == text[1].str();
}

/// Describes the first difference; empty if there is none.
std::string difference(const Outcome& boxed, const Outcome& unboxed, bool compares_elements) {
  if (boxed.error != unboxed.error) return "errors `" + boxed.error + "` and `" + unboxed.error + "`";
  if (boxed.values.size() != unboxed.values.size()) return "distinct numbers of values";
  for (std::size_t i = 0; i < boxed.values.size(); ++i) {
    if (!are_equal(boxed.values[i], unboxed.values[i], compares_elements)) return "value " + std::to_string(i);
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream sample(argv[1]);
  std::size_t calls = 0, differing = 0;
  std::set<std::string> operators, missing;
  for (std::string line; std::getline(sample, line);) {
    const replay::Case recorded = replay::parse_case(line);
    const std::string name = recorded.full_name();
    const OperatorHandle* const handle = find_operator(name);
    const test::Unboxed* const unboxed = test::find_unboxed(name);
    if (handle == nullptr || unboxed == nullptr) {
      missing.insert(name);
      continue;
    }
    const std::vector<SchemaArgument> schema = read_schema(unboxed->schema).arguments;
    const Outcome first = outcome_of(recorded, schema, [&](Stack& arguments) {
      Stack stack = arguments;
      handle->call(stack);
      return stack;
    });
    const Outcome second = outcome_of(recorded, schema, unboxed->call);
    // Elements of random results may be those of memory that is not initialised.
    const std::string found = difference(first, second, !recorded.is_random);
    ++calls;
    operators.insert(name);
    if (found.empty()) continue;
    ++differing;
    std::printf("%s: %s\n", name.c_str(), found.c_str());
  }
  for (const std::string& name : missing) std::printf("%s: not compared\n", name.c_str());
  std::printf("%zu calls of %zu operators; %zu differ, %zu operators are missing\n", calls, operators.size(), differing,
              missing.size());
  return differing == 0 && missing.empty() && calls != 0 ? 0 : 1;
}
