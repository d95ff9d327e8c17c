// Tests of all operators of a library, which structured_add_operator_tests builds: one GoogleTest for each operator.
//
// A test calls the operator with sampled arguments through check_call, then its in-place and out= variants with copies
// of these arguments, and compares the results. The build defines
//   STRUCTURED_FIND_OPERATOR           header of the library, `<mine/find_operator.h>`
//   STRUCTURED_LIBRARY_CPP_NAMESPACE   `mine`
//   STRUCTURED_LIBRARY_NAMESPACE       schema namespace as text, "mine"
#include STRUCTURED_FIND_OPERATOR

#include <gtest/gtest.h>
#include <structured/base/error.h>
#include <structured/check/check_call.h>
#include <structured/check/copied_arguments.h>
#include <structured/check/elements.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/dispatch/loaded_operators.h>
#include <structured/dispatch/schema.h>
#include <structured/format/print.h>
#include <structured/schema/parse.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "equal_values.h"
#include "sample_calls.h"

namespace structured::operator_tests {
namespace {

// `add` of `aten::add.Tensor`.
std::string_view base_of(std::string_view name) {
  name.remove_prefix(name.find("::") + 2);
  return name.substr(0, name.find('.'));
}

// `add.Tensor` of `aten::add.Tensor`.
std::string schema_name(std::string_view name) { return std::string(name.substr(name.find("::") + 2)); }

bool is_output(const SchemaArgument& argument) { return argument.is_mutable() && argument.is_keyword_only; }

// Types and names of the inputs, without alias annotations.
std::string inputs_of(const SchemaText& schema) {
  std::string text;
  for (const SchemaArgument& argument : schema.arguments) {
    if (is_output(argument)) continue;
    text.append(to_string(type_of(argument))).append(" ").append(argument.name).append(",");
  }
  return text;
}

struct TestedOperator {
  const OperatorHandle* functional = nullptr;
  const OperatorHandle* inplace = nullptr;
  const OperatorHandle* out = nullptr;
};

std::vector<const OperatorHandle*> library_operators() {
  STRUCTURED_LIBRARY_CPP_NAMESPACE::find_operator("");  // links a static library's operators
  std::vector<const OperatorHandle*> found;
  structured::detail::visit_loaded_libraries(
      [](void* context, ArrayRef<OperatorHandle> operators) {
        for (const OperatorHandle& op : operators) {
          if (op.name.starts_with(STRUCTURED_LIBRARY_NAMESPACE "::")) {
            static_cast<std::vector<const OperatorHandle*>*>(context)->push_back(&op);
          }
        }
        return true;
      },
      &found);
  return found;
}

// The variants of each operator, which have equal inputs; by the name of the first one.
std::map<std::string, TestedOperator> tested_operators() {
  std::map<std::string, TestedOperator> tested;
  const std::vector<const OperatorHandle*> all = library_operators();
  std::map<std::pair<std::string, std::string>, const OperatorHandle*> functional;  // by base name and inputs
  for (const OperatorHandle* op : all) {
    const SchemaText schema = read_schema(op->schema());
    const bool is_functional = std::none_of(schema.arguments.begin(), schema.arguments.end(),
                                            [](const SchemaArgument& argument) { return argument.is_mutable(); });
    if (!is_functional) continue;
    functional.emplace(std::pair(std::string(base_of(op->name)), inputs_of(schema)), op);
    tested[schema_name(op->name)].functional = op;
  }
  for (const OperatorHandle* op : all) {
    const SchemaText schema = read_schema(op->schema());
    const bool has_output = std::any_of(schema.arguments.begin(), schema.arguments.end(), is_output);
    std::string base(base_of(op->name));
    const bool is_mutable = std::any_of(schema.arguments.begin(), schema.arguments.end(),
                                        [](const SchemaArgument& argument) { return argument.is_mutable(); });
    if (!is_mutable) continue;
    if (!has_output && base.ends_with('_')) base.pop_back();
    const auto found = functional.find({base, inputs_of(schema)});
    const OperatorHandle** variant = nullptr;
    if (found != functional.end()) {
      TestedOperator& variants = tested[schema_name(found->second->name)];
      variant = has_output ? &variants.out : &variants.inplace;
    }
    // One without a functional variant, or a second one, is tested by itself.
    (variant != nullptr && *variant == nullptr ? *variant : tested[schema_name(op->name)].functional) = op;
  }
  return tested;
}

// A call's results, or the message of its error.
struct Outcome {
  Stack results;
  std::optional<std::string> error;
};

template <class Call>
Outcome outcome_of(Stack stack, Call&& call) {
  manual_seed(1);
  Outcome outcome{std::move(stack), std::nullopt};
  try {
    call(outcome.results);
  } catch (const InternalError& error) {
    ADD_FAILURE() << "an internal error: " << error.what();
    outcome.error = error.what();
  } catch (const KernelFault& fault) {
    ADD_FAILURE() << fault.what();
    outcome.error = fault.what();
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome checked_call(const OperatorHandle& op, Stack stack) {
  return outcome_of(std::move(stack), [&](Stack& values) { check_call(op, values); });
}

Stack copies_of(const Stack& arguments) { return structured::detail::copied_arguments(arguments, DeviceType::CPU); }

// A tensor with a gap of one element between two elements.
Tensor tensor_with_gaps(const Tensor& like) {
  std::vector<int64_t> strides(like.sizes().size());
  int64_t stride = 2;
  for (std::size_t d = strides.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<int64_t>(like.sizes()[d], 1);
  }
  return structured::empty_strided(like.sizes(), strides, like.dtype());
}

class FormsOfOperator {
 public:
  FormsOfOperator(const TestedOperator& tested, Sample sample) : tested_(tested), sample_(std::move(sample)) {}

  // Returns whether the operator accepts the sample.
  bool run() {
    SCOPED_TRACE(std::string(tested_.functional->name) + ": " + sample_.description);
    const Outcome found = checked_call(*tested_.functional, copies_of(sample_.arguments));
    const Outcome boxed = outcome_of(copies_of(sample_.arguments), [&](Stack& s) { tested_.functional->call(s); });
    if (found.error) return false;
    EXPECT_FALSE(boxed.error.has_value()) << *boxed.error;
    if (boxed.error) return false;
    expected_ = found.results;
    if (!may_be_uninitialised()) expect_results(boxed, "a second call");
    if (tested_.inplace != nullptr) test_inplace();
    if (tested_.out != nullptr) test_out();
    return true;
  }

 private:
  // By definition of the operator.
  bool may_be_uninitialised() const {
    const std::string_view name = tested_.functional->name;
    return name.find("empty") != std::string_view::npos || name.find("resize") != std::string_view::npos;
  }

  void expect_results(const Outcome& outcome, const char* what) const {
    EXPECT_FALSE(outcome.error.has_value()) << what << ": " << *outcome.error;
    if (outcome.error || may_be_uninitialised()) return;
    EXPECT_EQ(difference(outcome.results, expected_), "") << what;
  }

  void expect_results_or_error(const Outcome& outcome, const char* what) const {
    if (!outcome.error) expect_results(outcome, what);
  }

  const Tensor* first_tensor(const Stack& arguments) const {
    for (const Value& value : arguments) {
      if (value.is(Value::Kind::tensor) && value.to_tensor().defined()) return &value.to_tensor();
    }
    return nullptr;
  }

  bool returns_list() const { return expected_.size() == 1 && expected_[0].is(Value::Kind::tensor_list); }

  void test_inplace() const {
    if (returns_list()) return test_inplace_list();
    Stack arguments = copies_of(sample_.arguments);
    const Tensor* const self = first_tensor(arguments);
    if (self == nullptr || !expected_[0].is(Value::Kind::tensor)) return;
    const Tensor& result = expected_[0].to_tensor();
    const bool fits = self->sizes() == result.sizes() && self->dtype() == result.dtype();
    const Outcome outcome = checked_call(*tested_.inplace, std::move(arguments));
    if (fits) {
      expect_results(outcome, "in-place");
    } else if (!outcome.error && self->sizes() == result.sizes()) {
      EXPECT_EQ(outcome.results[0].to_tensor().dtype(), self->dtype()) << "in-place";
    }
  }

  // An operator on lists changes its first argument and returns no results.
  void test_inplace_list() const {
    Stack arguments = copies_of(sample_.arguments);
    const Value self = arguments[0];
    const TensorList found = self.to_tensor_list();
    const TensorList expected = expected_[0].to_tensor_list();
    const bool fits =
        std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                   [](const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes() && a.dtype() == b.dtype(); });
    const Outcome outcome = checked_call(*tested_.inplace, std::move(arguments));
    if (fits) expect_results({Stack{self}, outcome.error}, "in-place");
  }

  // Calls out= with the given outputs.
  Outcome call_out(Stack inputs, const std::vector<Tensor>& outputs) const {
    const SchemaText schema = read_schema(tested_.out->schema());
    Stack arguments;
    std::size_t input = 0;
    std::size_t output = 0;
    for (const SchemaArgument& argument : schema.arguments) {
      arguments.push_back(is_output(argument) ? Value(outputs[output++]) : inputs[input++]);
    }
    return checked_call(*tested_.out, std::move(arguments));
  }

  std::vector<Tensor> outputs(Tensor (*make)(const Tensor&)) const {
    std::vector<Tensor> made;
    for (const Value& value : expected_) made.push_back(make(value.to_tensor()));
    return made;
  }

  void test_out_list(Tensor (*make)(const Tensor&), const char* what) const {
    std::vector<Tensor> outputs;
    for (const Tensor& expected : expected_[0].to_tensor_list()) outputs.push_back(make(expected));
    Stack arguments = copies_of(sample_.arguments);
    arguments.emplace_back(TensorList(outputs));
    const Outcome outcome = checked_call(*tested_.out, std::move(arguments));
    expect_results({Stack{TensorList(outputs)}, outcome.error}, what);
  }

  void test_out() const {
    if (returns_list()) {
      test_out_list([](const Tensor& t) { return structured::empty(t.sizes(), t.dtype()); }, "out=");
      return test_out_list(&tensor_with_gaps, "out= with gaps");
    }
    const bool has_tensors = std::all_of(expected_.begin(), expected_.end(), [](const Value& value) {
      return value.is(Value::Kind::tensor) && value.to_tensor().defined();
    });
    if (!has_tensors) return;
    const auto inputs = [&] { return copies_of(sample_.arguments); };
    const auto like = [](const Tensor& t) { return structured::empty(t.sizes(), t.dtype()); };
    expect_results(call_out(inputs(), outputs(like)), "out=");
    expect_results(call_out(inputs(), outputs(&tensor_with_gaps)), "out= with gaps");
    expect_results_or_error(
        call_out(inputs(), outputs([](const Tensor& t) { return structured::empty({t.numel() + 5}, t.dtype()); })),
        "out= of other sizes");
    expect_results_or_error(
        call_out(inputs(), outputs([](const Tensor& t) { return structured::empty(IntArrayRef{0}, t.dtype()); })),
        "out= without elements");
    test_out_of_other_dtype();
    test_overlaps();
  }

  void test_out_of_other_dtype() const {
    const std::vector<Tensor> others =
        outputs([](const Tensor& t) { return structured::empty(t.sizes(), t.dtype() == kDouble ? kFloat : kDouble); });
    const ScalarType dtype = others[0].dtype();
    const Outcome outcome = call_out(copies_of(sample_.arguments), others);
    if (outcome.error) return;
    EXPECT_EQ(outcome.results[0].to_tensor().dtype(), dtype) << "out= of another dtype";
    EXPECT_EQ(outcome.results[0].to_tensor().sizes(), expected_[0].to_tensor().sizes()) << "out= of another dtype";
  }

  void test_overlaps() const {
    const Tensor& result = expected_[0].to_tensor();
    const auto like = [](const Tensor& t) { return structured::empty(t.sizes(), t.dtype()); };
    const std::vector<int64_t> zeros(result.sizes().size(), 0);
    if (result.numel() > 1) {
      std::vector<Tensor> outs = outputs(like);
      outs[0] = structured::empty_strided(result.sizes(), zeros, result.dtype());
      EXPECT_TRUE(call_out(copies_of(sample_.arguments), outs).error.has_value())
          << "accepts out= whose elements share one memory location";
    }
    Stack inputs = copies_of(sample_.arguments);
    const Tensor* first = first_tensor(inputs);
    if (first == nullptr || first->dtype() != result.dtype() || first->sizes() != result.sizes()) return;
    std::vector<Tensor> outs = outputs(like);
    outs[0] = *first;
    expect_results_or_error(call_out(inputs, outs), "out= that is an input");

    // Input and output are one element apart in one storage.
    inputs = copies_of(sample_.arguments);
    first = first_tensor(inputs);
    const Tensor memory = structured::empty({first->numel() + 1}, first->dtype());
    std::vector<int64_t> strides(first->strides().begin(), first->strides().end());
    const Tensor shifted = structured::as_strided(memory, first->sizes(), strides, 0);
    const Tensor original = *first;
    std::memcpy(shifted.data(), original.data(), original.nbytes());
    for (Value& value : inputs) {
      if (value.is(Value::Kind::tensor) && value.to_tensor().is_same(original)) value = shifted;
    }
    outs[0] = structured::as_strided(memory, first->sizes(), strides, 1);
    expect_results_or_error(call_out(inputs, outs), "out= that overlaps an input");
  }

  const TestedOperator& tested_;
  const Sample sample_;
  Stack expected_;
};

// Whether the operator has no kernel for tensors on the CPU, which samples are: an operator of quantized tensors.
bool lacks_cpu_kernel(const OperatorHandle& op) {
  std::istringstream lines(detail::dispatch_table(&op, op.name));
  std::string line, backend, origin;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    if (words >> backend >> origin && backend == "CPU") return origin == "none";
  }
  return false;
}

// Samples that operators accepted, for the summary.
std::size_t accepted_samples = 0;

class OperatorTest : public testing::Test {
 public:
  OperatorTest(const TestedOperator& tested, const GivenArguments& given) : tested_(tested), given_(given) {}

  void TestBody() override {
    std::size_t accepted = 0;
    // Operators that reject the usual dtypes may be of small integers.
    for (const bool are_small_integers : {false, true}) {
      if (accepted != 0) break;
      for (const Sample& sample : samples_of(*tested_.functional, given_, are_small_integers)) {
        accepted += FormsOfOperator(tested_, sample).run() ? 1 : 0;
        if (HasFailure()) return;
      }
    }
    accepted_samples += accepted;
    if (accepted == 0 && lacks_cpu_kernel(*tested_.functional)) return;
    EXPECT_NE(accepted, 0u) << tested_.functional->schema()
                            << " rejects all sampled arguments; give it some in the file of SAMPLES";
  }

 private:
  const TestedOperator& tested_;
  const GivenArguments& given_;
};

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  set_warning_handler([](const char*) {});
  static const std::map<std::string, TestedOperator> tested = tested_operators();
  static std::map<std::string, GivenArguments> given;
  if (argc > 1) given = read_samples(argv[1]);
  for (const auto& [name, arguments] : given) {
    STRUCTURED_CHECK(
        STRUCTURED_LIBRARY_CPP_NAMESPACE::find_operator(STRUCTURED_LIBRARY_NAMESPACE "::" + name) != nullptr, argv[1],
        ": there is no operator `", name, "`");
  }
  for (const auto& [name, variants] : tested) {
    testing::RegisterTest("Operators", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [&variants = variants, &arguments = given[name]]() -> testing::Test* {
                            return new OperatorTest(variants, arguments);
                          });
  }
  const int status = RUN_ALL_TESTS();
  std::cout << library_operators().size() << " schemas of " << tested.size() << " operators accepted "
            << accepted_samples << " samples\n";
  return status;
}

}  // namespace
}  // namespace structured::operator_tests

int main(int argc, char** argv) {
  try {
    return structured::operator_tests::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
