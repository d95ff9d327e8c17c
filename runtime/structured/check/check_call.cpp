#include "structured/check/check_call.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/check/aliases.h"
#include "structured/check/copied_arguments.h"
#include "structured/check/elements.h"
#include "structured/check/poison.h"
#include "structured/check/written_memory.h"
#include "structured/core/generator.h"
#include "structured/dispatch/schema.h"
#include "structured/format/print.h"

namespace structured {
namespace {

constinit std::atomic<bool> is_checking = false;

// All bytes of a pattern are equal. The first one is NaN for floating-point dtypes, and the second one a small number,
// which is not lost in a sum.
constexpr unsigned char kNan = 0xff;
constexpr unsigned char kFinite = 0x3c;

// Makes calls of other threads unchecked, and suppresses warnings: a checked call makes several calls.
class CheckInProgress {
 public:
  CheckInProgress() : handler_(set_warning_handler([](const char*) {})) {}
  CheckInProgress(const CheckInProgress&) = delete;
  CheckInProgress& operator=(const CheckInProgress&) = delete;
  ~CheckInProgress() {
    restore_warnings();
    is_checking.store(false);
  }
  void restore_warnings() {
    if (!std::exchange(is_restored_, true)) set_warning_handler(handler_);
  }

 private:
  WarningHandler handler_;
  bool is_restored_ = false;
};

// States of the generators that a call may use.
class GeneratorStates {
 public:
  explicit GeneratorStates(const Stack& arguments) {
    add(default_generator(DeviceType::CPU));
    for (const Value& value : arguments) {
      if (value.is(Value::Kind::generator)) add(value.to_generator());
    }
  }
  void restore() const {
    for (const auto& [generator, state] : states_) generator.set_state(state);
  }

 private:
  void add(const Generator& generator) { states_.emplace_back(generator, generator.state()); }

  std::vector<std::pair<Generator, Generator::Range>> states_;
};

// Arguments and results after a call.
struct Outcome {
  Stack arguments;
  Stack results;
  std::optional<std::string> error;
};

// Position of the first element that differs.
struct Difference {
  std::string what;  // "result", "argument `out`"
  std::vector<int64_t> index;
  bool is_unwritten = false;
};

bool is_filled_with(unsigned char pattern, const unsigned char* bytes, std::size_t count) {
  return std::all_of(bytes, bytes + count, [=](unsigned char byte) { return byte == pattern; });
}

bool is_nan(const schema::Dtype& dtype, const unsigned char* bytes) {
  if (dtype.is_complex()) {
    const schema::Dtype& part = *schema::real_of(dtype);
    return is_nan(part, bytes) || is_nan(part, bytes + part.size());
  }
  if (!dtype.is_floating()) return false;
  static_assert(std::endian::native == std::endian::little);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, dtype.size());
  const uint64_t sign = uint64_t{1} << (8 * dtype.size() - 1);
  return (bits & ~sign) > dtype.largest;
}

class CallChecker {
 public:
  CallChecker(const OperatorBase& op, detail::BoxedFunction call, const Stack& arguments)
      : op_(op), call_(call), arguments_(arguments), schema_(read_schema(op.schema())), generators_(arguments) {}

  // Throws KernelFault for the first finding. Returns without one if the operator rejects the arguments.
  void run() {
    try {
      check();
    } catch (const InternalError&) {
      throw;
    } catch (const Error& error) {
      throw KernelFault(error.what());
    }
  }

  void restore_generators() const { generators_.restore(); }

 private:
  void check() {
    Stack copies = copy(kNan);
    const detail::WrittenMemory memory(schema_, arguments_, copies);
    const Outcome first = call_on(std::move(copies), kNan);
    if (first.error) return;
    memory.check(op_);
    if (op_.origin(Backend::CPU) != KernelOrigin::composite) {
      detail::check_aliases(op_, schema_, first.arguments, first.results);
    }
    check_meta(first);
    check_other_runs(first);
  }

  // Copies of the arguments. Elements of out= arguments are filled with the pattern, unless they are inputs, too.
  Stack copy(unsigned char pattern) const {
    Stack copies = detail::copied_arguments(arguments_, DeviceType::CPU);
    for (std::size_t i = 0; i < std::min(copies.size(), schema_.arguments.size()); ++i) {
      if (!schema_.arguments[i].is_mutable() || !schema_.arguments[i].is_keyword_only) continue;
      detail::visit_tensors_in(copies[i], [&](const Tensor& out) {
        if (is_shared(copies, i, out)) return;
        auto* const first = static_cast<unsigned char*>(out.data());
        detail::for_each_element(out, [&](std::size_t at) { std::memset(first + at, pattern, out.element_size()); });
      });
    }
    return copies;
  }

  static bool is_shared(const Stack& arguments, std::size_t position, const Tensor& out) {
    bool found = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i == position) continue;
      detail::visit_tensors_in(arguments[i],
                               [&](const Tensor& other) { found |= other.storage().is_same(out.storage()); });
    }
    return found;
  }

  Outcome call_on(Stack arguments, unsigned char pattern) const {
    generators_.restore();
    const detail::PoisonNewMemory poison(pattern);
    Outcome outcome{arguments, std::move(arguments), std::nullopt};
    try {
      call_(outcome.results);
    } catch (const std::exception& error) {
      outcome.error = error.what();
    }
    return outcome;
  }

  Outcome call_on_thread(Stack arguments, unsigned char pattern) const {
    std::optional<Outcome> outcome;
    std::thread([&] { outcome = call_on(std::move(arguments), pattern); }).join();
    return std::move(*outcome);
  }

  // Compares the first call with one on another thread and in other memory.
  void check_other_runs(const Outcome& first) const {
    const Outcome other = call_on_thread(copy(kFinite), kFinite);
    const std::optional<Difference> difference = compare(first, other);
    if (!difference) return;
    STRUCTURED_CHECK(!difference->is_unwritten || may_leave_unwritten(), "`", op_.name(),
                     "`: the kernel leaves an element of ", difference->what, " unwritten, at index ",
                     IntArrayRef(difference->index));
    if (may_leave_unwritten()) return;
    const std::string found = difference->what + error_text(other);
    STRUCTURED_CHECK(!compare(first, call_on(copy(kNan), kNan)), "`", op_.name(), "`: ", found,
                     " differs between two calls with equal arguments");
    STRUCTURED_CHECK(compare(first, call_on(copy(kFinite), kFinite)), "`", op_.name(), "`: ", found,
                     " differs on another thread: the kernel depends on thread-local state");
    fail("`", op_.name(), "`: ", found, " depends on memory that the kernel reads before it writes it, at index ",
         IntArrayRef(difference->index));
  }

  static std::string error_text(const Outcome& outcome) {
    return outcome.error ? " (error: " + *outcome.error + ")" : std::string();
  }

  bool may_leave_unwritten() const {
    const std::string_view name = op_.name();
    return name.find("empty") != std::string_view::npos || name.find("resize") != std::string_view::npos;
  }

  std::optional<Difference> compare(const Outcome& a, const Outcome& b) const {
    if (b.error) return Difference{"outcome", {}, false};
    for (std::size_t i = 0; i < std::min(a.results.size(), b.results.size()); ++i) {
      const std::string what = a.results.size() == 1 ? "result" : "result " + std::to_string(i);
      if (auto found = compare(what, a.results[i], b.results[i])) return found;
    }
    for (std::size_t i = 0; i < std::min(a.arguments.size(), schema_.arguments.size()); ++i) {
      if (!schema_.arguments[i].is_mutable()) continue;
      const std::string what = "argument `" + std::string(schema_.arguments[i].name) + "`";
      if (auto found = compare(what, a.arguments[i], b.arguments[i])) return found;
    }
    return std::nullopt;
  }

  static std::optional<Difference> compare(const std::string& what, const Value& a, const Value& b) {
    const std::vector<Tensor> tensors = detail::tensors_in(a);
    const std::vector<Tensor> others = detail::tensors_in(b);
    if (a.kind() != b.kind() || tensors.size() != others.size()) return Difference{what, {}, false};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (auto found = compare(what, tensors[i], others[i])) return found;
    }
    const bool is_number = tensors.empty() && a.kind() < Value::Kind::tensor;
    if (is_number && to_string(a) != to_string(b)) return Difference{what, {}, false};
    return std::nullopt;
  }

  static std::optional<Difference> compare(const std::string& what, const Tensor& a, const Tensor& b) {
    if (a.defined() != b.defined()) return Difference{what, {}, false};
    if (!a.defined()) return std::nullopt;
    if (a.sizes() != b.sizes() || a.dtype() != b.dtype()) return Difference{what, {}, false};
    const std::size_t item = a.element_size();
    std::vector<const unsigned char*> others;
    detail::for_each_element(
        b, [&](std::size_t at) { others.push_back(static_cast<const unsigned char*>(b.data()) + at); });
    std::optional<Difference> found;
    int64_t position = 0;
    detail::for_each_element(a, [&](std::size_t at) {
      const unsigned char* const left = static_cast<const unsigned char*>(a.data()) + at;
      const unsigned char* const right = others[static_cast<std::size_t>(position++)];
      if (std::memcmp(left, right, item) == 0 || (found && found->is_unwritten)) return;
      const bool is_unwritten = is_filled_with(kNan, left, item) && is_filled_with(kFinite, right, item);
      const bool are_nan = is_nan(*dtype_row(a.dtype()), left) && is_nan(*dtype_row(a.dtype()), right);
      if (is_unwritten || (!found && !are_nan)) {
        found = Difference{what, detail::index_at(a, position - 1), is_unwritten};
      }
    });
    return found;
  }

  void check_meta(const Outcome& first) const {
    const bool has_generator = std::any_of(arguments_.begin(), arguments_.end(),
                                           [](const Value& value) { return value.is(Value::Kind::generator); });
    if (has_generator || op_.origin(Backend::Meta) == KernelOrigin::none) return;
    const Outcome meta = call_on(meta_arguments(), kNan);
    if (meta.error) {
      STRUCTURED_CHECK(op_.origin(Backend::Meta) != KernelOrigin::emitted || is_unavailable(*meta.error), "`",
                       op_.name(), "`: the Meta backend rejects arguments that the CPU accepts: ", *meta.error);
      return;
    }
    const Outcome again = call_on(meta_arguments(), kNan);
    compare_shapes(meta, again, "a second call on Meta");
    compare_shapes(first, meta, "the Meta backend");
  }

  // Whether the operator has no Meta backend, or reports that it needs the elements of a tensor on meta.
  static bool is_unavailable(std::string_view error) {
    for (const std::string_view text : {"has no kernel for backend", "meta"}) {
      if (error.find(text) != std::string_view::npos) return true;
    }
    return false;
  }

  Stack meta_arguments() const {
    Stack copies = detail::copied_arguments(arguments_, DeviceType::Meta);
    for (std::size_t i = 0; i < std::min(copies.size(), schema_.arguments.size()); ++i) {
      if (schema_.arguments[i].type == "Device?") copies[i] = Device(DeviceType::Meta);
    }
    return copies;
  }

  void compare_shapes(const Outcome& found, const Outcome& expected, const char* of) const {
    for (std::size_t i = 0; i < std::min(found.results.size(), expected.results.size()); ++i) {
      const std::vector<Tensor> tensors = detail::tensors_in(found.results[i]);
      const std::vector<Tensor> others = detail::tensors_in(expected.results[i]);
      const std::string what = found.results.size() == 1 ? "the result" : "result " + std::to_string(i);
      STRUCTURED_CHECK(tensors.size() == others.size(), "`", op_.name(), "`: ", what, " has ", tensors.size(),
                       " tensors, but ", of, " returns ", others.size());
      for (std::size_t k = 0; k < tensors.size(); ++k) compare_shapes(what, tensors[k], others[k], of);
    }
  }

  void compare_shapes(const std::string& what, const Tensor& found, const Tensor& expected, const char* of) const {
    STRUCTURED_CHECK(found.defined() == expected.defined(), "`", op_.name(), "`: ", what, " is ",
                     found.defined() ? "defined" : "undefined", ", but ", of, " returns ",
                     expected.defined() ? "a defined" : "an undefined", " tensor");
    if (!found.defined()) return;
    STRUCTURED_CHECK(found.dtype() == expected.dtype(), "`", op_.name(), "`: ", what, " has dtype ", found.dtype(),
                     ", but ", of, " returns ", expected.dtype());
    STRUCTURED_CHECK(found.sizes() == expected.sizes(), "`", op_.name(), "`: ", what, " has sizes ", found.sizes(),
                     ", but ", of, " returns ", expected.sizes());
    if (found.numel() == 0) return;
    for (std::size_t d = 0; d < found.sizes().size(); ++d) {
      STRUCTURED_CHECK(found.sizes()[d] == 1 || found.strides()[d] == expected.strides()[d], "`", op_.name(),
                       "`: ", what, " has strides ", found.strides(), ", but ", of, " returns ", expected.strides());
    }
  }

  const OperatorBase& op_;
  const detail::BoxedFunction call_;
  const Stack& arguments_;
  const SchemaText schema_;
  const GeneratorStates generators_;
};

// Whether copies of the arguments can be made, and all of them are on the CPU.
bool can_check(const Stack& arguments) {
  return std::all_of(arguments.begin(), arguments.end(), [](const Value& value) {
    if (value.is(Value::Kind::storage)) return false;
    if (value.is(Value::Kind::device)) return value.to_device().is_cpu();
    bool is_on_cpu = true;
    detail::visit_tensors_in(value, [&](const Tensor& tensor) { is_on_cpu &= tensor.is_cpu(); });
    return is_on_cpu;
  });
}

}  // namespace

namespace detail {

bool is_checking_call() { return is_checking.load(); }

void check_call(const OperatorBase& op, BoxedFunction call, Stack& stack) {
  if (!can_check(stack) || is_checking.exchange(true)) return call(stack);
  CheckInProgress progress;
  CallChecker checker(op, call, stack);
  checker.run();
  checker.restore_generators();
  progress.restore_warnings();
  const PoisonNewMemory poison(kNan);
  call(stack);
}

}  // namespace detail

void check_call(const OperatorHandle& op, Stack& stack) {
  const std::size_t count = read_schema(op.schema()).arguments.size();
  STRUCTURED_CHECK(stack.size() == count, "`", op.name, "`: expected a stack of ", count, " arguments, got ",
                   stack.size());
  detail::check_call(
      op.table(),
      {[](const void* handle, Stack& values) { static_cast<const OperatorHandle*>(handle)->call(values); }, &op},
      stack);
}

}  // namespace structured
