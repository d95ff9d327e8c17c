#include "driver/option_set.h"

#include "llvm/Support/CommandLine.h"

namespace structured::gen {
namespace {

namespace cl = llvm::cl;

cl::OptionCategory& category() {
  static cl::OptionCategory result("Options");
  return result;
}

}  // namespace

/// Is registered while it lives.
struct OptionSet::Subcommand : cl::SubCommand {
  using SubCommand::SubCommand;
  ~Subcommand() { unregisterSubCommand(); }
};

OptionSet::OptionSet(const char* command, const char* summary)
    : command_(std::make_unique<Subcommand>(command, summary)) {}

OptionSet::~OptionSet() {
  for (const std::unique_ptr<cl::Option>& option : options_) option->removeArgument();
}

template <class Option, class... Modifiers>
void OptionSet::add(const Modifiers&... modifiers) {
  options_.push_back(std::make_unique<Option>(modifiers..., cl::sub(*command_), cl::cat(category())));
}

void OptionSet::inputs(std::vector<std::string>& values, const char* usage) {
  add<cl::list<std::string, std::vector<std::string>>>(cl::Positional, cl::location(values), cl::desc(usage));
}

void OptionSet::flag(const char* name, bool& value, const char* help) {
  add<cl::opt<bool, true>>(llvm::StringRef(name), cl::location(value), cl::desc(help));
}

void OptionSet::flag(const char* name, std::optional<bool>& value, const char* help) {
  add<cl::opt<bool>>(llvm::StringRef(name), cl::desc(help),
                     cl::callback([&value](const bool& given) { value = given; }));
}

void OptionSet::value(const char* name, std::string& value, const char* value_name, const char* help) {
  add<cl::opt<std::string, true>>(llvm::StringRef(name), cl::location(value), cl::value_desc(value_name),
                                  cl::desc(help));
}

void OptionSet::value(const char* name, std::optional<std::string>& value, const char* value_name, const char* help) {
  add<cl::opt<std::string>>(llvm::StringRef(name), cl::value_desc(value_name), cl::desc(help),
                            cl::callback([&value](const std::string& given) { value = given; }));
}

void OptionSet::value(const char* name, unsigned& value, const char* value_name, const char* help) {
  add<cl::opt<unsigned, true>>(llvm::StringRef(name), cl::location(value), cl::value_desc(value_name), cl::desc(help));
}

void OptionSet::values(const char* name, std::vector<std::string>& values, const char* value_name, const char* help) {
  add<cl::list<std::string, std::vector<std::string>>>(llvm::StringRef(name), cl::location(values),
                                                       cl::value_desc(value_name), cl::desc(help));
}

void OptionSet::comma_values(const char* name, std::vector<std::string>& values, const char* value_name,
                             const char* help) {
  add<cl::list<std::string, std::vector<std::string>>>(llvm::StringRef(name), cl::CommaSeparated, cl::location(values),
                                                       cl::value_desc(value_name), cl::desc(help));
}

bool OptionSet::is_chosen() const { return static_cast<bool>(*command_); }

bool OptionSet::set_compile_flags(std::vector<std::string> flags) {
  if (!compile_flags_) return false;
  *compile_flags_ = std::move(flags);
  return true;
}

void OptionSet::hide_others() { cl::HideUnrelatedOptions(category(), *command_); }

void hide_unrelated_options() { cl::HideUnrelatedOptions(category()); }

}  // namespace structured::gen
