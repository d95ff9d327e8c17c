// Makes random calls of our operators and of PyTorch's, and compares all tensors after each call. The tensors share
// memory, have unusual strides, dtypes and names, are views of each other, and serve as outputs.
//
//     semantics [PROGRAMS] [FIRST_SEED]
//
// A program consists of about ten calls on a few tensors, determined by its seed. It ends at the first error, which
// leaves outputs undefined. Prints each program that differs, and exits with 1 if there is one.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <structured/core/factory.h>
#include <structured/core/names.h>
#include <structured/dispatch/call.h>
#include <structured/find_operator.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compare.h"

namespace {

using structured::IntArrayRef;
using structured::Stack;
using structured::Tensor;
using structured::Value;

// One tensor in both libraries.
struct Twin {
  at::Tensor theirs;
  Tensor ours;
};

struct Argument {
  c10::IValue theirs;
  Value ours;
};

structured::ScalarType dtype_of(at::ScalarType type) { return static_cast<structured::ScalarType>(type); }
static_assert(static_cast<int>(at::kComplexFloat) == static_cast<int>(structured::kComplexFloat) &&
              static_cast<int>(at::kBFloat16) == static_cast<int>(structured::kBFloat16));

int warnings_of_ours = 0;
int warnings_of_theirs = 0;

struct CountingHandler : c10::WarningHandler {
  void process(const c10::SourceLocation&, const std::string& message, bool) override {
    warnings_of_theirs += message.find("resize") != std::string::npos;  // other warnings appear once per process
  }
};

// Converts a tensor of PyTorch to ours for comparison.
Tensor borrowed(const at::Tensor& tensor) {
  const auto bytes = static_cast<int64_t>(tensor.storage().nbytes()) / tensor.element_size();
  const Tensor all = structured::from_blob(tensor.storage().data(), {bytes}, dtype_of(tensor.scalar_type()));
  const IntArrayRef sizes(tensor.sizes().data(), tensor.sizes().size());
  const IntArrayRef strides(tensor.strides().data(), tensor.strides().size());
  return structured::as_strided(all, sizes, strides, tensor.storage_offset());
}

std::string described(const at::Tensor& tensor) {
  std::ostringstream out;
  out << tensor.scalar_type() << tensor.sizes() << " strides " << tensor.strides() << " offset "
      << tensor.storage_offset() << " version " << tensor._version();
  if (tensor.has_names()) out << " names " << tensor.names();
  return out.str();
}

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed), is_named_(one_in(6)) {
    const std::vector<at::ScalarType> all{at::kFloat, at::kDouble, at::kLong,     at::kInt,         at::kBool,
                                          at::kHalf,  at::kByte,   at::kBFloat16, at::kComplexFloat};
    const std::size_t kinds = one_in(2) ? 1 : 3;
    for (std::size_t i = 0; i < kinds; ++i) dtypes_.push_back(one_in(2) ? at::kFloat : pick(all));
    // With other dtypes, results differ, since PyTorch rounds intermediate results and we do not.
    const auto is_short = [](at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; };
    if (std::any_of(dtypes_.begin(), dtypes_.end(), is_short)) dtypes_ = {dtypes_[0]};
    const int rank = below(4);
    for (int d = 0; d < rank; ++d) shape_.push_back(one_in(12) ? 0 : 1 + below(4));
    const int count = 2 + below(3);
    for (int i = 0; i < count; ++i) add_tensor();
  }

  /// Describes the first difference; empty if there is none.
  std::optional<std::string> run() {
    for (int step = 0; step < 10; ++step) {
      const std::optional<std::string> found = one_in(3) ? view() : call();
      if (found) return log_ + "  " + *found;
      if (has_ended_) break;
    }
    return std::nullopt;
  }

  int calls() const { return calls_; }
  int refusals() const { return refusals_; }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  // Mostly the program's shape, or one that broadcasts to it.
  std::vector<int64_t> some_sizes() {
    std::vector<int64_t> sizes = shape_;
    if (!sizes.empty() && one_in(4)) sizes.erase(sizes.begin());
    for (int64_t& size : sizes) {
      if (one_in(6)) size = 1;
      if (one_in(30)) size = below(4);
    }
    if (one_in(12)) sizes.insert(sizes.begin(), 1 + below(2));
    return sizes;
  }

  void add_tensor() {
    const std::vector<int64_t> sizes = some_sizes();
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = order.size() - 1 - d;
    if (one_in(3)) std::shuffle(order.begin(), order.end(), random_);
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = one_in(5) ? 2 : 1;
    for (const std::size_t d : order) {
      strides[d] = stride;
      stride *= std::max<int64_t>(sizes[d], 1);
    }
    const at::ScalarType dtype = pick(dtypes_);
    Twin twin{at::empty_strided(sizes, strides, dtype), structured::empty_strided(sizes, strides, dtype_of(dtype))};
    const auto elements = static_cast<int64_t>(twin.theirs.storage().nbytes()) / twin.theirs.element_size();
    at::Tensor flat = at::empty({elements}, at::kDouble);
    for (int64_t i = 0; i < elements; ++i) flat.data_ptr<double>()[i] = below(9) - (dtype == at::kByte ? 0 : 3);
    flat = flat.to(dtype);
    if (elements != 0) {
      std::memcpy(twin.theirs.storage().data(), flat.data_ptr(), flat.nbytes());
      std::memcpy(twin.ours.storage().data(), flat.data_ptr(), flat.nbytes());
    }
    log_ += "  %" + std::to_string(tensors_.size()) + " = " + described(twin.theirs) + "\n";
    tensors_.push_back(twin);
    if (is_named_ && !sizes.empty() && one_in(2)) name(tensors_.back());
  }

  void name(Twin& twin) {
    static const char* const kNames[] = {"A", "B", "C", "D", "E", "F", "G"};
    std::vector<at::Dimname> theirs;
    std::vector<structured::Dimname> ours;
    const auto rank = static_cast<std::size_t>(twin.theirs.dim());
    for (std::size_t d = 0; d < rank; ++d) {
      const bool is_wildcard = one_in(4);
      const char* const name = kNames[one_in(20) ? below(7) : static_cast<int>(rank - 1 - d)];
      if (std::any_of(ours.begin(), ours.end(),
                      [&](structured::Dimname n) { return n == structured::Dimname(name); }) ||
          is_wildcard) {
        theirs.push_back(at::Dimname::wildcard());
        ours.push_back(structured::Dimname());
      } else {
        theirs.push_back(at::Dimname::fromSymbol(at::Symbol::dimname(name)));
        ours.push_back(structured::Dimname(name));
      }
    }
    at::internal_set_names_inplace(twin.theirs, at::DimnameList(theirs));
    structured::set_names(twin.ours, structured::DimnameList(ours));
    std::ostringstream out;
    out << twin.theirs.names();
    log_ += "  names " + out.str() + "\n";
  }

  Argument tensor() {
    const auto index = static_cast<std::size_t>(below(static_cast<int>(tensors_.size())));
    used_ += " %" + std::to_string(index);
    return {tensors_[index].theirs, tensors_[index].ours};
  }
  Argument integer(int64_t value) {
    used_ += " " + std::to_string(value);
    return {value, value};
  }
  Argument dim() { return integer(below(static_cast<int>(shape_.size()) + 2) - (one_in(2) ? 1 : 0)); }
  Argument number() {
    if (one_in(2)) return {at::Scalar(1.5), structured::Scalar(1.5)};
    return {at::Scalar(2), structured::Scalar(2)};
  }
  Argument truth() {
    const bool value = one_in(2);
    used_ += value ? " true" : " false";
    return {value, value};
  }
  Argument dims() {
    std::vector<int64_t> list;
    for (int64_t d = 0; d < static_cast<int64_t>(shape_.size()); ++d) {
      if (one_in(2)) list.push_back(one_in(4) ? d - static_cast<int64_t>(shape_.size()) : d);
    }
    std::ostringstream out;
    out << " " << IntArrayRef(list);
    used_ += out.str();
    return {list, Value(IntArrayRef(list))};
  }
  Argument tensors() {
    std::vector<at::Tensor> theirs;
    std::vector<Tensor> ours;
    for (int i = 1 + below(3); i > 0; --i) {
      const Argument one = tensor();
      theirs.push_back(one.theirs.toTensor());
      ours.push_back(one.ours.to_tensor());
    }
    return {theirs, Value(structured::TensorList(ours))};
  }

  struct Operation {
    const char* functional;  // variant in the schema; empty if there is none
    const char* inplace;
    const char* out;
    std::vector<const char*> out_names;
    std::function<std::vector<Argument>(Program&)> arguments;
    bool is_pointwise = true;
    // Excludes cases in which PyTorch's vector code differs from its scalar code in signs of zero or in NaN versus
    // infinity of a quotient, and in which it stores truth values as single bytes of a complex number.
    bool is_for_complex = true;
  };

  static const std::vector<Operation>& operations() {
    using P = Program;
    const auto unary = [](P& p) { return std::vector<Argument>{p.tensor()}; };
    const auto binary = [](P& p) { return std::vector<Argument>{p.tensor(), p.tensor()}; };
    const auto ternary = [](P& p) { return std::vector<Argument>{p.tensor(), p.tensor(), p.tensor()}; };
    const auto with_number = [](P& p) { return std::vector<Argument>{p.tensor(), p.number()}; };
    const auto reduced = [](P& p) { return std::vector<Argument>{p.tensor(), p.dims(), p.truth()}; };
    const auto along = [](P& p) { return std::vector<Argument>{p.tensor(), p.dim(), p.truth()}; };
    static const std::vector<Operation> list{
        {"relu", "relu_", "", {}, unary},
        {"neg", "neg_", "neg.out", {"out"}, unary},
        {"sqrt", "sqrt_", "sqrt.out", {"out"}, unary, true, false},
        {"sigmoid", "sigmoid_", "sigmoid.out", {"out"}, unary},
        {"logical_not", "logical_not_", "logical_not.out", {"out"}, unary, true, false},
        {"add.Tensor", "add_.Tensor", "add.out", {"out"}, binary},
        {"sub.Tensor", "sub_.Tensor", "sub.out", {"out"}, binary},
        {"mul.Tensor", "mul_.Tensor", "mul.out", {"out"}, binary},
        {"div.Tensor", "div_.Tensor", "div.out", {"out"}, binary, true, false},
        {"maximum", "", "maximum.out", {"out"}, binary},
        {"eq.Tensor", "eq_.Tensor", "eq.Tensor_out", {"out"}, binary, true, false},
        {"lt.Tensor", "lt_.Tensor", "lt.Tensor_out", {"out"}, binary, true, false},
        {"bitwise_and.Tensor", "bitwise_and_.Tensor", "bitwise_and.Tensor_out", {"out"}, binary},
        {"add.Scalar", "add_.Scalar", "", {}, with_number},
        {"mul.Scalar", "mul_.Scalar", "", {}, with_number},
        {"ge.Scalar", "ge_.Scalar", "ge.Scalar_out", {"out"}, with_number, true, false},
        {"addcmul", "addcmul_", "addcmul.out", {"out"}, ternary},
        {"where.self", "", "", {}, ternary},
        {"sum.dim_IntList", "", "sum.IntList_out", {"out"}, reduced, false},
        {"mean.dim", "", "mean.out", {"out"}, reduced, false},
        {"amax", "", "amax.out", {"out"}, reduced, false},
        {"max.dim", "", "max.dim_max", {"max", "max_values"}, along, false},
        {"any.dim", "", "any.out", {"out"}, along, false},
        {"argmax", "", "argmax.out", {"out"}, along, false},
        {"cumsum",
         "cumsum_",
         "cumsum.out",
         {"out"},
         [](P& p) { return std::vector<Argument>{p.tensor(), p.dim()}; },
         false},
        {"cat", "", "cat.out", {"out"}, [](P& p) { return std::vector<Argument>{p.tensors(), p.dim()}; }, false},
        {"mm", "", "mm.out", {"out"}, binary, false},
        {"clone", "", "", {}, unary},
        {"", "copy_", "", {}, binary},
        {"", "fill_.Scalar", "", {}, with_number},
    };
    return list;
  }

  std::optional<std::string> call() {
    is_defined_ = true;
    const Operation* picked = &pick(operations());
    const bool is_complex = std::find(dtypes_.begin(), dtypes_.end(), at::kComplexFloat) != dtypes_.end();
    while (is_complex && !picked->is_for_complex) picked = &pick(operations());
    const Operation& operation = *picked;
    const std::vector<const char*> kinds{operation.functional, operation.inplace, operation.out};
    const char* name = "";
    while (*name == '\0') name = pick(kinds);
    used_.clear();
    const std::vector<Argument> arguments = operation.arguments(*this);
    std::vector<structured::NamedValue> keywords;
    std::vector<c10::IValue> outputs;
    if (name == operation.out) {
      used_ += " out";
      for (const char* out_name : operation.out_names) {
        if (one_in(3)) {  // a new output, which shares no memory
          used_.append(" new");
          add_tensor();
          if (one_in(2)) {
            tensors_.back() = {at::empty({0}, tensors_.back().theirs.options()),
                               structured::empty({0}, tensors_.back().ours.options())};
            used_.append(" empty");
          }
          keywords.push_back({out_name, tensors_.back().ours});
          outputs.emplace_back(tensors_.back().theirs);
        } else {
          const Argument out = tensor();
          keywords.push_back({out_name, out.ours});
          outputs.push_back(out.theirs);
        }
      }
    }
    gives_named_output_ =
        std::any_of(outputs.begin(), outputs.end(), [](const c10::IValue& out) { return out.toTensor().has_names(); });
    is_pointwise_ = operation.is_pointwise;
    reads_names_ = std::any_of(arguments.begin(), arguments.end(), [](const Argument& read) {
      return read.theirs.isTensor() && read.theirs.toTensor().has_names();
    });
    // Only pointwise operators define results for an output that is also an input, and only if it is the whole input.
    const auto shares = [&](const Argument& read) {
      return std::any_of(outputs.begin(), outputs.end(), [&](const c10::IValue& out) {
        if (read.theirs.isTensorList()) return true;
        if (!read.theirs.isTensor() || !read.theirs.toTensor().is_alias_of(out.toTensor())) return false;
        return !operation.is_pointwise || !read.theirs.toTensor().is_same(out.toTensor());
      });
    };
    const bool is_inplace = name == operation.inplace;
    const auto shares_self = [&](const Argument& read) {
      const at::Tensor& self = arguments[0].theirs.toTensor();
      return read.theirs.isTensor() && read.theirs.toTensor().is_alias_of(self) &&
             !read.theirs.toTensor().is_same(self);
    };
    if (is_inplace && std::any_of(arguments.begin() + 1, arguments.end(), shares_self)) is_defined_ = false;
    is_defined_ &= std::none_of(arguments.begin(), arguments.end(), shares);
    return make(name, arguments, keywords, outputs);
  }

  std::optional<std::string> view() {
    used_.clear();
    is_defined_ = true;
    gives_named_output_ = false;
    std::vector<Argument> arguments{tensor()};
    const int64_t rank = arguments[0].theirs.toTensor().dim();
    // PyTorch converts repeated elements in advance, which changes the strides of results.
    switch (below(dtypes_.size() == 1 ? 5 : 4)) {
      case 0:
        arguments.push_back(dim());
        arguments.push_back(dim());
        return make("transpose.int", arguments, {}, {});
      case 1:
        arguments.push_back(dim());
        arguments.push_back(integer(below(4) - 1));
        return make("select.int", arguments, {}, {});
      case 2:
        arguments.push_back(dim());
        arguments.push_back(integer(below(4) - 1));
        arguments.push_back(integer(one_in(2) ? 9 : below(5) - 1));
        arguments.push_back(integer(1 + below(2)));
        return make("slice.Tensor", arguments, {}, {});
      case 3: {
        if (arguments[0].theirs.toTensor().has_names()) return std::nullopt;  // ATen throws, our operator drops names
        std::vector<int64_t> sizes{-1};
        if (rank > 0 && one_in(2)) sizes.insert(sizes.begin(), arguments[0].theirs.toTensor().size(0));
        arguments.push_back({sizes, Value(IntArrayRef(sizes))});
        return make("view", arguments, {}, {});
      }
      default: {
        std::vector<int64_t> sizes = shape_;
        if (one_in(3)) sizes.insert(sizes.begin(), below(3));
        if (!sizes.empty() && one_in(3)) sizes.back() = -1;
        arguments.push_back({sizes, Value(IntArrayRef(sizes))});
        return make("expand", arguments, {}, {});
      }
    }
  }

  // Makes the call in both libraries.
  std::optional<std::string> make(const std::string& name, const std::vector<Argument>& arguments,
                                  const std::vector<structured::NamedValue>& keywords,
                                  const std::vector<c10::IValue>& outputs) {
    log_ += "  " + name + used_ + "\n";
    ++calls_;
    warnings_of_ours = warnings_of_theirs = 0;
    std::string their_error;
    torch_stack_.clear();
    try {
      call_theirs(name, arguments, outputs);
    } catch (const std::exception& error) {
      their_error = error.what();
    }
    std::string our_error;
    Stack results;
    try {
      const structured::OperatorHandle* const op = structured::find_operator("aten::" + name);
      if (op == nullptr) return "we have no operator " + name;
      Stack positional;
      for (const Argument& argument : arguments) positional.push_back(argument.ours);
      results = structured::call_operator(*op, positional, keywords);
    } catch (const structured::Error& error) {
      our_error = error.what();
    }
    has_ended_ = !their_error.empty() || !our_error.empty();
    refusals_ += has_ended_;
    if (their_error.empty() != our_error.empty() && !is_stricter(name, their_error, our_error)) {
      return "PyTorch: " + (their_error.empty() ? "no error" : their_error.substr(0, their_error.find('\n'))) +
             "\n  ours: " + (our_error.empty() ? "no error" : our_error);
    }
    has_ended_ |= !is_defined_;
    if (has_ended_) return std::nullopt;
    if ((warnings_of_theirs != 0) != (warnings_of_ours != 0)) {
      return std::to_string(warnings_of_theirs) + " warnings of PyTorch, " + std::to_string(warnings_of_ours) + " ours";
    }
    if (results.size() != torch_stack_.size()) return "another number of results";
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Twin result{torch_stack_[i].toTensor(), results[i].to_tensor()};
      const bool is_old = std::any_of(tensors_.begin(), tensors_.end(),
                                      [&](const Twin& known) { return known.theirs.is_same(result.theirs); });
      if (is_old) continue;
      log_ += "  %" + std::to_string(tensors_.size()) + " = " + described(result.theirs) + "\n";
      tensors_.push_back(result);
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const std::string found = difference_of(tensors_[i]);
      if (!found.empty()) return "%" + std::to_string(i) + ": " + found;
    }
    return difference_of_sharing();
  }

  // Errors of one library only: invalid calls whose result is undefined in PyTorch, and calls with names that PyTorch
  // does not support.
  bool is_stricter(const std::string& name, const std::string& theirs, const std::string& ours) const {
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    if (has(theirs, "is not yet supported with named tensors") || has(theirs, "not implemented for '") ||
        has(theirs, "INTERNAL ASSERT")) {
      return true;
    }
    if (has(theirs, "Cannot resize named tensor") && !gives_named_output_) return true;
    // Errors that depend on elements, or are thrown later.
    if (!is_defined_ && has(theirs, "refer to a single memory location")) return true;
    // Names of an output without elements: PyTorch may call a pointwise operator internally, or none.
    if (has(theirs, "Name mismatch") && !reads_names_ && !is_pointwise_) return true;
    if (name == "copy_" && has(theirs, "refer to a single memory location")) return true;  // equal elements, in order
    if (is_named_ && has(theirs, "same number of dimensions")) return true;                // empty vectors with names
    if (!theirs.empty()) return false;
    if (has(ours, "shares memory with one that is read")) return true;
    if (!is_defined_ && has(ours, "overlaps a part of one that is read")) return true;
    if (name.rfind("mm", 0) == 0 && (has(ours, "one dtype") || has(ours, "expected dtype")))
      return true;  // empty tensors
    if (has(ours, "expected outputs that do not overlap")) return true;
    if (name.rfind("cumsum", 0) == 0 && has(ours, "got one of dtype Bool")) return true;  // also without dimensions
    if (has(ours, "expected `self` of dtype")) return true;                               // of one element, or none
    if (name == "expand" && has(ours, "-1 only for")) return true;                        // theirs keeps the -1
    return name == "where.self" && has(ours, "expected `condition` of dtype Bool");       // Byte is deprecated
  }

  void call_theirs(const std::string& name, const std::vector<Argument>& arguments,
                   const std::vector<c10::IValue>& outputs) {
    const std::size_t dot = name.find('.');
    const std::string base = "aten::" + name.substr(0, dot);
    const std::string overload = dot == std::string::npos ? "" : name.substr(dot + 1);
    const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(base.c_str(), overload.c_str());
    for (const Argument& argument : arguments) torch_stack_.push_back(argument.theirs);
    const auto& parameters = op.schema().arguments();
    while (torch_stack_.size() + outputs.size() < parameters.size()) {
      torch_stack_.push_back(parameters[torch_stack_.size()].default_value().value());
    }
    torch_stack_.insert(torch_stack_.end(), outputs.begin(), outputs.end());
    op.callBoxed(&torch_stack_);
  }

  static std::string difference_of(const Twin& twin) {
    const std::string found = structured::replay::difference_of_tensors(twin.ours, borrowed(twin.theirs), false);
    if (!found.empty()) return found;
    if (twin.ours.version() != twin.theirs._version()) {
      return "version " + std::to_string(twin.ours.version()) + ", expected " + std::to_string(twin.theirs._version());
    }
    std::ostringstream ours;
    std::ostringstream theirs;
    if (twin.ours.has_names()) ours << twin.ours.names();
    if (twin.theirs.has_names()) theirs << twin.theirs.names();
    const std::string expected =
        std::regex_replace(std::regex_replace(theirs.str(), std::regex("None"), "*"), std::regex("'"), "");
    return ours.str() == expected ? "" : "names " + ours.str() + ", expected " + expected;
  }

  // Two tensors share memory in both libraries or in neither.
  std::optional<std::string> difference_of_sharing() const {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool theirs = tensors_[i].theirs.is_alias_of(tensors_[j].theirs);
        const bool ours = tensors_[i].ours.storage().is_same(tensors_[j].ours.storage());
        if (theirs != ours) {
          return "%" + std::to_string(j) + " and %" + std::to_string(i) + (ours ? " share" : " do not share") +
                 " memory";
        }
      }
    }
    return std::nullopt;
  }

  std::mt19937 random_;
  bool is_named_;
  std::vector<at::ScalarType> dtypes_;
  std::vector<int64_t> shape_;
  std::vector<Twin> tensors_;
  std::vector<c10::IValue> torch_stack_;
  std::string log_;
  std::string used_;
  bool has_ended_ = false;
  bool gives_named_output_ = false;
  bool reads_names_ = false;
  bool is_pointwise_ = true;
  bool is_defined_ = true;
  int calls_ = 0;
  int refusals_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned programs = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 20000;
  const unsigned first = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 0;
  CountingHandler handler;
  const c10::Warning::WarningHandlerGuard guard(&handler);
  c10::Warning::set_warnAlways(true);
  structured::set_warning_handler([](const char*) { ++warnings_of_ours; });
  long long calls = 0;
  long long refusals = 0;
  unsigned failed = 0;
  for (unsigned seed = first; seed < first + programs && failed < 20; ++seed) {
    Program program(seed);
    if (const std::optional<std::string> difference = program.run()) {
      std::printf("program %u differs:\n%s\n", seed, difference->c_str());
      ++failed;
    }
    calls += program.calls();
    refusals += program.refusals();
  }
  std::printf("%lld calls, %lld of them refused; %u programs differ\n", calls, refusals, failed);
  return failed == 0 ? 0 : 1;
}
