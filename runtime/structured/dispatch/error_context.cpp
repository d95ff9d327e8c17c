// Finds the running operators: unwinds the stack, and looks for the functions in the dispatch tables of all loaded
// libraries. A table holds the wrapper or kernel of each backend, so that calls need not announce themselves. Frames
// that the compiler has removed are missed: an operator that ends in a tail call of another one.
#include "structured/base/error_context.h"

#include <array>
#include <bitset>
#include <ostream>

#if defined(__ELF__)
#include <unwind.h>
#endif

#include "structured/dispatch/library.h"
#include "structured/dispatch/loaded_operators.h"
#include "structured/dispatch/meta_function.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/schema.h"
#include "structured/schema/parse.h"

namespace structured::detail {
namespace {

constinit thread_local ErrorContext* newest = nullptr;

// A function of the stack, and the operator that it belongs to.
struct Frame {
  const void* function = nullptr;
  const OperatorHandle* op = nullptr;
  bool is_meta = false;  // a meta function, which the variants of an operator share
};

// The functions on the stack, the innermost first.
class Frames {
 public:
  static constexpr std::size_t kMost = 64;

  Frame* begin() { return frames_.data(); }
  Frame* end() { return frames_.data() + count_; }
  bool empty() const { return count_ == 0; }

  void add(const void* function) {
    if (count_ == kMost) return;
    frames_[count_++].function = function;
    is_known_.set(slot_of(function));
  }
  bool is_full() const { return count_ == kMost; }

  void assign(const void* function, const OperatorHandle& op, bool is_meta) {
    if (!is_known_.test(slot_of(function))) return;
    for (Frame& frame : *this) {
      if (frame.function == function && frame.op == nullptr) frame = {function, &op, is_meta};
    }
  }

 private:
  // Functions begin at multiples of 16 in most cases.
  static std::size_t slot_of(const void* function) { return reinterpret_cast<std::uintptr_t>(function) / 16 % 1024; }

  std::array<Frame, kMost> frames_;
  std::size_t count_ = 0;
  std::bitset<1024> is_known_;  // rules out most functions of the tables
};

#if defined(__ELF__)

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* frames) {
  const auto start = static_cast<std::uintptr_t>(_Unwind_GetRegionStart(context));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the unwinder returns addresses as integers
  if (start != 0) static_cast<Frames*>(frames)->add(reinterpret_cast<const void*>(start));
  return static_cast<Frames*>(frames)->is_full() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool assign_operators(void* context, ArrayRef<OperatorHandle> operators) {
  Frames& frames = *static_cast<Frames*>(context);
  for (const OperatorHandle& op : operators) {
    // All operators have one layout, and the kernels are not called through this type.
    const auto& table = static_cast<const Operator<void()>&>(*op.op);
    for (std::size_t backend = 0; backend < backend_count; ++backend) {
      if (const auto kernel = table.kernel(static_cast<Backend>(backend)); kernel != nullptr) {
        frames.assign(reinterpret_cast<const void*>(kernel), op, /*is_meta=*/false);
      }
    }
    if (op.meta != nullptr) {
      const auto& meta = static_cast<const TypedMetaFunction<void(char&)>&>(op.meta());
      frames.assign(reinterpret_cast<const void*>(meta.function), op, /*is_meta=*/true);
    }
  }
  return true;
}

void find_frames(Frames& frames) {
  _Unwind_Backtrace(&add_frame, &frames);
  if (!frames.empty()) visit_loaded_libraries(&assign_operators, &frames);
}

#else

void find_frames(Frames&) {}

#endif

// `dot` for `aten::dot.out`.
std::string_view base_name(std::string_view full_name) {
  full_name.remove_prefix(full_name.rfind(':') + 1);
  return full_name.substr(0, full_name.find('.'));
}

// `adaptive_avg_pool2d` for `_adaptive_avg_pool2d`, and `add` for `add_`: messages of kernels use these names.
std::string_view plain_name(std::string_view full_name) {
  std::string_view name = base_name(full_name);
  while (name.starts_with('_')) name.remove_prefix(1);
  while (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

// Whether `message` begins with the operator's name: "add: ..." or "`aten::add.Tensor`: ...".
bool names_operator(std::string_view message, std::string_view full_name) {
  if (message.starts_with('`')) message.remove_prefix(1);
  if (message.starts_with(full_name)) return true;
  const std::string_view name = message.substr(0, message.find(':'));
  return !name.empty() && plain_name(name) == plain_name(full_name);
}

// The results of an in-place or out= operator are its mutable arguments.
std::vector<std::string_view> output_names(const SchemaText& schema) {
  std::vector<std::string_view> names;
  for (const SchemaArgument& argument : schema.arguments) {
    if (argument.is_mutable()) names.push_back(argument.name);
  }
  if (!names.empty()) return names;
  for (const SchemaArgument& result : schema.returns) {
    if (!result.name.empty()) names.push_back(result.name);
  }
  return names;
}

std::vector<std::string_view> candidates(const SchemaText& schema, ArgumentPart part) {
  using Role = ArgumentPart::Role;
  std::vector<std::string_view> names;
  if (part.role == Role::output) {
    names = output_names(schema);
    if (part.index == ArgumentPart::kOnly) return names.size() == 1 ? names : std::vector<std::string_view>();
    return part.index < names.size() ? std::vector{names[part.index]} : std::vector<std::string_view>();
  }
  for (const SchemaArgument& argument : schema.arguments) {
    const bool is_dimension = argument.base == schema::Type::Base::Int && argument.name.starts_with("dim");
    const bool is_input =
        argument.is(schema::Type::Base::Tensor) && !(argument.is_mutable() && argument.is_keyword_only);
    if (part.role == Role::dimension ? is_dimension : is_input) names.push_back(argument.name);
  }
  if (part.role != Role::input) return names;
  // Which argument an input is can only be told if the operation has all of them as inputs.
  return names.size() == part.count ? std::vector{names[part.index]} : std::vector<std::string_view>();
}

}  // namespace

ErrorContext::ErrorContext() noexcept : outer_(newest) {
  newest = this;
  try {
    Frames frames;
    find_frames(frames);
    for (const Frame& frame : frames) {
      if (frame.op == nullptr) continue;
      if (!operators_.empty() && plain_name(operators_.back()->name) == plain_name(frame.op->name)) {
        // The caller's name for the operator is the outer one. A meta function belongs to any of its variants.
        if (!frame.is_meta) operators_.back() = frame.op;
      } else {
        operators_.push_back(frame.op);
      }
    }
  } catch (...) {  // no memory: a message without context is better than none
    operators_.clear();
  }
}

ErrorContext::~ErrorContext() { newest = outer_; }

std::string ErrorContext::complete(const std::string& message) const {
  std::string result;
  for (std::size_t i = operators_.size(); i-- > 0;) {
    if (i == 0 && names_operator(message, operators_[0]->name)) break;
    result += "in ";
    result += base_name(operators_[i]->name);
    result += ": ";
  }
  return result.empty() ? message : result + message;
}

std::string_view ErrorContext::operator_name() const noexcept {
  return operators_.empty() ? std::string_view() : operators_.front()->name;
}

std::ostream& operator<<(std::ostream& out, ArgumentPart part) {
  if (part.role == ArgumentPart::Role::none || newest == nullptr || newest->operators_.empty()) return out;
  // A malformed schema is another error, which must not replace this one.
  const SchemaText schema = schema::view_schema(newest->operators_.front()->schema()).value_or(SchemaText());
  const std::vector<std::string_view> names = candidates(schema, part);
  if (names.size() == 1) newest->argument_ = names[0];
  for (std::size_t i = 0; i < names.size(); ++i) {
    out << (i == 0 ? "`" : i + 1 == names.size() ? "` or `" : "`, `") << names[i];
  }
  return names.empty() ? out : out << "`: ";
}

}  // namespace structured::detail
