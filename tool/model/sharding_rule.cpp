#include "model/sharding_rule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/cpp_names.h"

namespace structured::gen {
namespace {

llvm::Error fault(const llvm::Twine& text) { return llvm::createStringError(text); }

llvm::Expected<ShardingDim> parse_dim(llvm::StringRef text) {
  llvm::StringRef rest = text;
  if (!rest.consume_front("...")) {
    if (!is_identifier(text)) return fault("expected a name, `_`, `...` or `...-argument`, found `" + text + "`");
    if (text == "_") return ShardingDim{ShardingDim::Kind::whole};
    return ShardingDim{ShardingDim::Kind::spread, text.str()};
  }
  if (rest.empty()) return ShardingDim{ShardingDim::Kind::broadcast};
  if (!rest.consume_front("-")) {
    return fault("expected a name, `_`, `...` or `...-argument`, found `" + text + "`");
  }
  if (!is_identifier(rest)) return fault("expected the name of an argument after `...-`, found `" + text + "`");
  return ShardingDim{ShardingDim::Kind::broadcast, rest.str()};
}

/// Whether both are `...`, or have the same name.
bool are_same(const ShardingDim& a, const ShardingDim& b) {
  return a.kind == b.kind && (a.kind == ShardingDim::Kind::broadcast || a.name == b.name);
}

bool has_dim(const ShardingTerm& term, const ShardingDim& dim) {
  return llvm::any_of(term, [&](const ShardingDim& each) { return are_same(each, dim); });
}

std::string to_string(const ShardingDim& dim) {
  switch (dim.kind) {
    case ShardingDim::Kind::spread:
      return dim.name;
    case ShardingDim::Kind::whole:
      return "_";
    case ShardingDim::Kind::broadcast:
      return "..." + (dim.name.empty() ? "" : "-" + dim.name);
  }
  llvm_unreachable("all kinds have a text");
}

llvm::Expected<ShardingTerm> parse_term(llvm::StringRef text) {
  ShardingTerm term;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (const llvm::StringRef word : words) {
    llvm::Expected<ShardingDim> dim = parse_dim(word);
    if (!dim) return dim.takeError();
    if (dim->kind != ShardingDim::Kind::whole && has_dim(term, *dim)) return fault("a tensor has `" + word + "` twice");
    term.push_back(std::move(*dim));
  }
  return term;
}

llvm::Expected<std::vector<ShardingTerm>> parse_terms(llvm::StringRef text) {
  std::vector<ShardingTerm> terms;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (const llvm::StringRef part : parts) {
    llvm::Expected<ShardingTerm> term = parse_term(part);
    if (!term) return term.takeError();
    terms.push_back(std::move(*term));
  }
  return terms;
}

std::string count(std::size_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

std::size_t tensors_of(llvm::ArrayRef<Argument> arguments) {
  return llvm::count_if(arguments, [](const Argument& argument) { return argument.type.is_tensor_like(); });
}

std::vector<Argument> inputs_of(const Schema& schema) {
  std::vector<Argument> inputs = schema.positional;
  llvm::append_range(inputs, schema.keyword_only);
  return inputs;
}

}  // namespace

llvm::Expected<ShardingRule> parse_sharding_rule(llvm::StringRef text) {
  const auto [before, after] = text.split("->");
  if (before.size() == text.size()) return fault("expected `->` between the tensors and the results");
  llvm::Expected<std::vector<ShardingTerm>> arguments = parse_terms(before);
  if (!arguments) return arguments.takeError();
  llvm::Expected<std::vector<ShardingTerm>> results = parse_terms(after);
  if (!results) return results.takeError();
  for (const ShardingTerm& result : *results) {
    for (const ShardingDim& dim : result) {
      if (dim.kind == ShardingDim::Kind::whole) continue;
      if (dim.kind == ShardingDim::Kind::broadcast && !dim.name.empty()) {
        return fault("a result has `" + to_string(dim) +
                     "`; write `...`, which stands for the dimensions that are left");
      }
      if (llvm::none_of(*arguments, [&](const ShardingTerm& term) { return has_dim(term, dim); })) {
        return fault("a result has `" + to_string(dim) + "`, which no argument has");
      }
    }
  }
  return ShardingRule{std::move(*arguments), std::move(*results)};
}

std::string to_string(const ShardingRule& rule) {
  const auto term = [](const ShardingTerm& dims) {
    return llvm::join(llvm::map_range(dims, [](const ShardingDim& dim) { return to_string(dim); }), " ");
  };
  return llvm::join(llvm::map_range(rule.arguments, term), ", ") + " -> " +
         llvm::join(llvm::map_range(rule.results, term), ", ");
}

ShardingRule pointwise_sharding_rule(const Schema& schema) {
  const ShardingTerm term{{ShardingDim::Kind::broadcast}};
  return {std::vector(tensors_of(inputs_of(schema)), term), std::vector(schema.returns.size(), term)};
}

std::optional<std::string> misfit(const ShardingRule& rule, llvm::ArrayRef<Argument> arguments,
                                  std::optional<std::size_t> results) {
  const std::size_t tensors = tensors_of(arguments);
  if (rule.arguments.size() != tensors) {
    return "has " + count(rule.arguments.size(), "tensor") + "; expected " + std::to_string(tensors) +
           ", one for each argument that is a tensor or a list of tensors";
  }
  if (results && rule.results.size() != *results) {
    return "has " + count(rule.results.size(), "result") + "; expected " + std::to_string(*results);
  }
  for (const ShardingTerm& term : rule.arguments) {
    for (const ShardingDim& dim : term) {
      if (dim.kind != ShardingDim::Kind::broadcast || dim.name.empty()) continue;
      const auto* named = llvm::find_if(arguments, [&](const Argument& each) { return each.name == dim.name; });
      if (named == arguments.end()) return "names `" + dim.name + "`, which is not an argument";
      if (named->type.base != Type::Base::Int && named->type.base != Type::Base::SymInt) {
        return "names `" + dim.name + "`, which is not an integer or a list of them";
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> misfit(const ShardingRule& rule, const Schema& schema) {
  return misfit(rule, inputs_of(schema), schema.returns.size());
}

}  // namespace structured::gen
