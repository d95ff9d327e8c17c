#include "structured/dispatch/tracer.h"

#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "structured/dispatch/fallback.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value_tensors.h"
#include "structured/format/print.h"

namespace structured {
namespace {

constinit thread_local Program* current_program = nullptr;

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void set_name(const Tensor& tensor, const std::string& name) { given_names_[tensor.impl()] = name; }

  void print(const std::vector<Program::Call>& calls) {
    out_ << "program(" << inputs(calls) << ") {\n";
    std::string lines;
    for (const Program::Call& call : calls) {
      const std::string arguments = argument_list(call);
      lines += "  ";
      std::string results;
      for (const Value& result : call.results) {
        results += (results.empty() ? "" : ", ") + result_text(result);
      }
      lines += results.empty() ? "" : results + " = ";
      lines.append(call.op->name()).append("(").append(arguments).append(")\n");
    }
    out_ << lines << (left_.empty() ? "" : "  return ");
    bool is_first = true;
    for (const std::string& name : left_) {
      out_ << (std::exchange(is_first, false) ? "" : ", ") << name;
    }
    out_ << (left_.empty() ? "}" : "\n}");
  }

 private:
  static std::string typed(const std::string& name, const Tensor& tensor) {
    std::string text = name + ": " + to_string(tensor.dtype()) + to_string(tensor.sizes());
    return tensor.is_cpu() ? text : text + " " + to_string(tensor.device());
  }

  // Unused name: the one set by the caller, if this is its first tensor, else a number.
  std::string new_name(const Tensor& tensor) {
    const auto given = given_names_.find(tensor.impl());
    if (given != given_names_.end() && taken_.insert("%" + given->second).second) {
      return "%" + given->second;
    }
    std::string name;
    do {
      name = "%" + std::to_string(next_number_++);
    } while (!taken_.insert(name).second);
    return name;
  }

  std::string inputs(const std::vector<Program::Call>& calls) {
    std::string text;
    std::set<const TensorImpl*> made;
    for (const Program::Call& call : calls) {
      for (const Value& argument : call.arguments) {
        detail::visit_tensors_in(argument, [&](const Tensor& tensor) {
          if (made.insert(tensor.impl()).second) {
            const std::string name = names_[tensor.impl()] = new_name(tensor);
            text += (text.empty() ? "" : ", ") + typed(name, tensor);
          }
        });
      }
      for (const Value& result : call.results) {
        detail::visit_tensors_in(result, [&](const Tensor& tensor) { made.insert(tensor.impl()); });
      }
    }
    return text;
  }

  std::string argument_list(const Program::Call& call) {
    const std::vector<SchemaArgument> schema = read_schema(call.op->schema()).arguments;
    std::string text;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      text += i == 0 ? "" : ", ";
      if (i < schema.size() && schema[i].is_keyword_only) {
        text.append(schema[i].name).append("=");
      }
      text += value_text(call.arguments[i]);
    }
    return text;
  }

  std::string name_of(const Tensor& tensor) {
    if (!tensor.defined()) {
      return "None";
    }
    const std::string& name = names_[tensor.impl()];
    std::erase(left_, name);
    return name;
  }

  std::string value_text(const Value& value) {
    const auto list = [](auto elements, auto&& text_of) {
      std::string text;
      for (const auto& element : elements) {
        text += (text.empty() ? "[" : ", ") + text_of(element);
      }
      return text.empty() ? std::string("[]") : text + "]";
    };
    switch (value.kind()) {
      case Value::Kind::tensor:
        return name_of(value.to_tensor());
      case Value::Kind::tensor_list:
        return list(value.to_tensor_list(), [this](const Tensor& tensor) { return name_of(tensor); });
      case Value::Kind::optional_tensor_list:
        return list(value.to_optional_tensor_list(),
                    [this](const std::optional<Tensor>& tensor) { return tensor ? name_of(*tensor) : "None"; });
      default:
        return to_string(value);
    }
  }

  // A result gets a new name even if it is a mutable argument that was written.
  std::string result_text(const Value& value) {
    std::string text;
    detail::visit_tensors_in(value, [&](const Tensor& tensor) {
      const std::string name = names_[tensor.impl()] = new_name(tensor);
      left_.push_back(name);
      text += (text.empty() ? "" : ", ") + typed(name, tensor);
    });
    const bool is_list = value.is(Value::Kind::tensor_list);
    return is_list ? "[" + text + "]" : text.empty() ? "_" : text;
  }

  std::ostream& out_;
  std::map<const TensorImpl*, std::string> given_names_;
  std::map<const TensorImpl*, std::string> names_;
  std::set<std::string> taken_;
  std::vector<std::string> left_;
  int next_number_ = 0;
};

}  // namespace

void Program::set_name(const Tensor& tensor, std::string_view name) { names_.emplace_back(tensor, name); }

std::ostream& operator<<(std::ostream& out, const Program& program) {
  Printer printer(out);
  for (const auto& [tensor, name] : program.names_) {
    printer.set_name(tensor, name);
  }
  printer.print(program.calls_);
  return out;
}

Tracer::Tracer(Program& program) : outer_(current_program), include_(Layer::Tracer) {
  [[maybe_unused]] static const bool is_registered = [] {
    register_fallback(Layer::Tracer, &Tracer::record, "the runtime's tracer", 0);
    return true;
  }();
  current_program = &program;
}

Tracer::~Tracer() { current_program = outer_; }

void Tracer::record(const BoxedCall& call, Stack& stack) {
  if (current_program == nullptr) {  // the layer was included without a Tracer
    return call.proceed(stack);
  }
  Program& program = *current_program;
  Program::Call recorded{&call.op(), stack, {}};
  {
    const ExcludeLayers exclude(Layer::Tracer);
    call.proceed(stack);
  }
  recorded.results = stack;
  program.calls_.push_back(std::move(recorded));
}

}  // namespace structured
