#include "check/lock.h"

#include <algorithm>
#include <map>

#include "check/diagnostic_builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral header_start = "# structured operators.lock, format ";
constexpr unsigned lock_format = 1;

llvm::Error error_at(llvm::StringRef file, unsigned line, const llvm::Twine& message) {
  return llvm::createStringError((file + ":" + llvm::Twine(line) + ": " + message).str());
}

// Quotes the beginning of untrusted text, with unprintable characters escaped.
std::string quoted(llvm::StringRef text) {
  if (text.empty()) {
    return "an empty line";
  }
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printEscapedString(text.take_front(80), out);
  return "`" + result + "`";
}

llvm::Error check_header(llvm::StringRef file, llvm::StringRef line) {
  llvm::StringRef rest = line;
  unsigned format = 0;
  if (!rest.consume_front(header_start) || rest.getAsInteger(10, format)) {
    return error_at(file, 1, "expected `" + header_start + llvm::Twine(lock_format) + "`, found " + quoted(line));
  }
  if (format != lock_format) {
    return error_at(file, 1,
                    "expected format " + llvm::Twine(lock_format) + ", found format " + llvm::Twine(format) +
                        "; it was written by another version of structured-gen");
  }
  return llvm::Error::success();
}

// An operator of the library, to be compared with the lock file.
struct Current {
  const Schema* schema;
  SourceRange range;               // the function's name
  const Declaration* declaration;  // the function, if known
};

SourceRange place_of(const Operator& op, const Variant& variant) {
  if (!variant.kernels.empty()) {
    return variant.kernels.front().function.range;
  }
  return op.structured ? op.structured->meta.range : op.pointwise ? op.pointwise->function.range : SourceRange{};
}

// Function names have distinct locations.
std::map<SourceRange, const Declaration*> declarations_by_place(llvm::ArrayRef<Fragment> fragments) {
  std::map<SourceRange, const Declaration*> declarations;
  for (const Fragment& fragment : fragments) {
    for (const Declaration& declaration : fragment.declarations) {
      declarations.try_emplace(declaration.name_range, &declaration);
    }
  }
  return declarations;
}

std::string full_name(const Schema& schema, llvm::StringRef default_namespace) {
  OperatorName name = schema.name;
  if (name.ns.empty()) {
    name.ns = default_namespace.str();
  }
  return to_string(name);
}

std::string declared(const Argument& argument) {
  Argument without_default = argument;
  without_default.default_value.reset();
  return to_string(without_default);
}

// An incompatible change of one or more variants of an operator.
struct Change {
  DiagnosticKind kind;
  std::string subject;             // before the names: `the default of argument `dim` of`
  std::string predicate;           // after the names: `changed from `0` to `1``
  std::vector<std::string> names;  // of the variants
  SourceRange range;
  std::vector<SourceRange> locked;  // lines in the lock file
};

// Collects changes. Variants that share the changed parameter share one change.
class Changes {
 public:
  void add(Change change) {
    for (Change& other : changes_) {
      const bool is_same = other.kind == change.kind && other.subject == change.subject &&
                           other.predicate == change.predicate && other.range == change.range;
      if (is_same && change.range.valid()) {
        llvm::append_range(other.names, change.names);
        llvm::append_range(other.locked, change.locked);
        return;
      }
    }
    changes_.push_back(std::move(change));
  }

  std::vector<Diagnostic> diagnostics(llvm::StringRef update) const {
    const Phrase cure(update.empty() ? "" : "; to accept the change, " + update);
    std::vector<Diagnostic> result;
    for (const Change& change : changes_) {
      DiagnosticBuilder diagnostic(result, change.kind, change.range, "{}{} {}, which breaks {} callers{}",
                                   Phrase(change.subject.empty() ? "" : change.subject + " "), List(change.names),
                                   Phrase(change.predicate), Phrase(change.names.size() > 1 ? "their" : "its"), cure);
      for (const SourceRange& locked : change.locked) {
        diagnostic.note(locked, "the lock file promises it here");
      }
      diagnostic.emit();
    }
    return result;
  }

 private:
  std::vector<Change> changes_;
};

// Compares the locked schema of an operator with its current one.
class Comparison {
 public:
  Comparison(const LockedSchema& locked, const Current& current, bool has_keywords, Changes& changes)
      : locked_(locked), current_(current), has_keywords_(has_keywords), changes_(changes) {}

  void run() {
    compare_list("argument", locked_.schema.positional, current_.schema->positional, /*by_name=*/false);
    compare_insertions();
    compare_list("keyword-only argument", locked_.schema.keyword_only, current_.schema->keyword_only, has_keywords_);
    compare_list("out argument", locked_.schema.out, current_.schema->out, /*by_name=*/false);
    if (locked_.schema.returns != current_.schema->returns) {
      report(DiagnosticKind::lock_result, "the results of",
             "changed from `" + returns_text(locked_.schema) + "` to `" + returns_text(*current_.schema) + "`",
             current_.range);
    }
  }

 private:
  using Arguments = std::vector<Argument>;

  // Compares arguments by name if callers pass them by name, else by position.
  void compare_list(llvm::StringRef what, const Arguments& locked, const Arguments& current, bool by_name) {
    for (size_t i = 0; i < locked.size(); ++i) {
      const auto found = by_name ? llvm::find_if(current, [&](const Argument& a) { return a.name == locked[i].name; })
                                 : current.begin() + static_cast<std::ptrdiff_t>(std::min(i, current.size()));
      if (found == current.end()) {
        report(DiagnosticKind::lock_argument, (what + " `" + locked[i].name + "` of").str(), "was removed",
               current_.range);
        continue;
      }
      compare(what, locked[i], *found);
    }
    for (size_t i = 0; i < current.size(); ++i) {
      const bool is_new = by_name ? llvm::none_of(locked, [&](const Argument& a) { return a.name == current[i].name; })
                                  : i >= locked.size();
      if (is_new && !current[i].default_value) {
        report(DiagnosticKind::lock_argument, (what + " `" + current[i].name + "` of").str(),
               "is new and has no default", place_of(current[i]));
      }
    }
  }

  // Even with a default, an inserted argument breaks callers that pass later arguments by position.
  void compare_insertions() {
    if (has_keywords_ || locked_.schema.keyword_only.empty()) {
      return;
    }
    for (const Argument& argument :
         llvm::ArrayRef(current_.schema->positional)
             .drop_front(std::min(locked_.schema.positional.size(), current_.schema->positional.size()))) {
      if (argument.default_value) {
        report(DiagnosticKind::lock_argument, "argument `" + argument.name + "` of",
               "is new and in front of keyword-only ones", place_of(argument));
      }
    }
  }

  void compare(llvm::StringRef what, const Argument& locked, const Argument& current) {
    if (declared(locked) != declared(current)) {
      report(DiagnosticKind::lock_argument, (what + " of").str(),
             "changed from `" + declared(locked) + "` to `" + declared(current) + "`", place_of(current));
    } else if (locked.default_value && locked.default_value != current.default_value) {
      report(DiagnosticKind::lock_default, ("the default of " + what + " `" + locked.name + "` of").str(),
             "changed from " + default_text(locked) + " to " + default_text(current), place_of_default(current));
    }
  }

  static std::string default_text(const Argument& argument) {
    return argument.default_value ? "`" + *argument.default_value + "`" : "none";
  }
  static std::string returns_text(const Schema& schema) {
    return llvm::StringRef(to_string(schema)).rsplit(" -> ").second.str();
  }
  const Parameter* parameter_of(const Argument& argument) const {
    if (!current_.declaration) {
      return nullptr;
    }
    const auto& parameters = current_.declaration->parameters;
    const auto found = llvm::find_if(parameters, [&](const Parameter& p) { return p.name == argument.name; });
    return found == parameters.end() ? nullptr : &*found;
  }
  SourceRange place_of(const Argument& argument) const {
    const Parameter* parameter = parameter_of(argument);
    return parameter ? parameter->range : current_.range;
  }
  SourceRange place_of_default(const Argument& argument) const {
    const Parameter* parameter = parameter_of(argument);
    return parameter && parameter->default_argument ? parameter->default_argument->range : place_of(argument);
  }

  void report(DiagnosticKind kind, std::string subject, std::string predicate, SourceRange range) {
    changes_.add({kind,
                  std::move(subject),
                  std::move(predicate),
                  {to_string(current_.schema->name)},
                  std::move(range),
                  {locked_.range}});
  }

  const LockedSchema& locked_;
  const Current& current_;
  bool has_keywords_;
  Changes& changes_;
};

}  // namespace

llvm::Expected<std::vector<LockedSchema>> parse_lock(llvm::StringRef file, llvm::StringRef text) {
  std::vector<LockedSchema> lock;
  std::map<std::string, unsigned> lines;
  auto [first, rest] = text.split('\n');
  if (llvm::Error error = check_header(file, first.rtrim())) {
    return error;
  }
  for (unsigned number = 2; !rest.empty(); ++number) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    const auto column = static_cast<unsigned>(line.size() - line.ltrim().size()) + 1;
    line = line.trim();
    if (line.empty() || line.starts_with("#")) {
      continue;
    }
    llvm::Expected<Schema> schema = parse_schema(line);
    if (!schema) {
      return error_at(file, number, llvm::toString(schema.takeError()));
    }
    const auto [known, is_new] = lines.try_emplace(to_string(schema->name), number);
    if (!is_new) {
      return error_at(file, number,
                      quoted(known->first) + " is listed twice, first in line " + llvm::Twine(known->second));
    }
    const auto length = static_cast<unsigned>(line.size());
    lock.push_back({std::move(*schema), {file.str(), {number, column}, {number, column + length}}});
  }
  return lock;
}

std::string print_lock(const Library& library) {
  std::vector<std::string> lines;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      lines.push_back(to_string(variant.schema));
    }
  }
  llvm::sort(lines);
  std::string text = (header_start + llvm::Twine(lock_format) + "\n").str();
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::vector<Diagnostic> check_lock(const Library& library, llvm::ArrayRef<Fragment> fragments,
                                   llvm::ArrayRef<LockedSchema> lock, llvm::StringRef update) {
  const std::map<SourceRange, const Declaration*> declarations = declarations_by_place(fragments);
  std::map<std::string, Current> current;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      SourceRange range = place_of(op, variant);
      const auto found = declarations.find(range);
      const Declaration* declaration = found == declarations.end() ? nullptr : found->second;
      current[full_name(variant.schema, library.schema_namespace)] = {&variant.schema, std::move(range), declaration};
    }
  }
  Changes changes;
  for (const LockedSchema& locked : lock) {
    const auto found = current.find(full_name(locked.schema, library.schema_namespace));
    if (found == current.end()) {
      changes.add(
          {DiagnosticKind::lock_operator, "", "was removed", {to_string(locked.schema.name)}, locked.range, {}});
    } else {
      // Callers of the native dialect are C++, which passes keyword-only arguments by position.
      Comparison(locked, found->second, library.dialect == "aten", changes).run();
    }
  }
  return changes.diagnostics(update);
}

}  // namespace structured::gen
