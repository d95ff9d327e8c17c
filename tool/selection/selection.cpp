#include "selection/selection.h"

#include "language/dtypes.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral format = "structured selection";

void add_reasons(Reasons& to, const Reasons& from) {
  for (const auto& [name, reasons] : from) to[name].insert(reasons.begin(), reasons.end());
}

llvm::json::Object json_of(const Reasons& reasons) {
  llvm::json::Object object;
  for (const auto& [name, texts] : reasons) object[name] = llvm::json::Array(texts);
  return object;
}

llvm::Expected<Reasons> reasons_of(const llvm::json::Object& file, llvm::StringRef member) {
  const llvm::json::Object* object = file.getObject(member);
  if (!object) return llvm::createStringError("expected an object `" + member.str() + "`");
  Reasons result;
  for (const auto& [name, value] : *object) {
    std::set<std::string>& reasons = result[name.str()];
    const llvm::json::Array* texts = value.getAsArray();
    if (!texts) return llvm::createStringError("expected a list of reasons for `" + name.str() + "`");
    for (const llvm::json::Value& text : *texts) {
      if (auto reason = text.getAsString()) reasons.insert(reason->str());
    }
  }
  return result;
}

std::vector<std::string> names_of(const Reasons& reasons) {
  std::vector<std::string> names;
  for (const auto& [name, texts] : reasons) names.push_back(name);
  return names;
}

void print(llvm::raw_ostream& out, const Reasons::value_type& entry) {
  out << entry.first << '\n';
  for (const std::string& reason : entry.second) out << "  " << reason << '\n';
}

}  // namespace

void Selection::add(const Selection& other) {
  add_reasons(operators, other.operators);
  if (!other.dtypes) {
    dtypes.reset();
  } else if (dtypes) {
    add_reasons(*dtypes, *other.dtypes);
  }
}

std::string to_json(const Selection& selection) {
  llvm::json::Object file{{"format", format}, {"operators", json_of(selection.operators)}};
  if (selection.dtypes) file["dtypes"] = json_of(*selection.dtypes);
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(file))).str();
}

llvm::Expected<Selection> selection_from_json(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) return parsed.takeError();
  const llvm::json::Object* file = parsed->getAsObject();
  if (!file || file->getString("format") != llvm::StringRef(format)) {
    return llvm::createStringError("expected a file of `structured-gen select`, with \"format\": \"" + format.str() +
                                   "\"");
  }
  Selection selection;
  llvm::Expected<Reasons> operators = reasons_of(*file, "operators");
  if (!operators) return operators.takeError();
  selection.operators = std::move(*operators);
  if (file->get("dtypes")) {
    llvm::Expected<Reasons> dtypes = reasons_of(*file, "dtypes");
    if (!dtypes) return dtypes.takeError();
    selection.dtypes = std::move(*dtypes);
  }
  return selection;
}

llvm::Expected<Selection> selection_from_list(llvm::StringRef text, llvm::StringRef name) {
  Selection selection;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const auto& [index, line] : llvm::enumerate(lines)) {
    const llvm::StringRef op = line.take_until([](char c) { return c == '#'; }).trim();
    if (op.empty()) continue;
    const std::string place = (name + ":" + llvm::Twine(index + 1)).str();
    if (op.contains(' ') || !op.contains("::")) {
      return llvm::createStringError(place + ": expected the full name of an operator, as `aten::add.Tensor`, found `" +
                                     op.str() + "`");
    }
    selection.operators[op.str()].insert("listed at " + place);
  }
  return selection;
}

llvm::Error add_dtypes(Selection& selection, llvm::StringRef names, llvm::StringRef reason) {
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',', -1, /*KeepEmpty=*/false);
  if (!selection.dtypes) selection.dtypes.emplace();
  for (llvm::StringRef name : parts) {
    std::vector<std::string> known;
    for (const DtypeName& dtype : dtype_names()) {
      if (!dtype.is_set) known.push_back(dtype.constant.drop_front().str());
    }
    if (!llvm::is_contained(known, name)) {
      return llvm::createStringError("unknown dtype `" + name.str() + "`" + did_you_mean(name, known));
    }
    (*selection.dtypes)[name.str()].insert(reason.str());
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> explain(const Selection& selection, llvm::StringRef name) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const Reasons no_dtypes;
  const Reasons& dtypes = selection.dtypes ? *selection.dtypes : no_dtypes;
  if (name.empty()) {
    for (const auto& entry : selection.operators) print(out, entry);
    for (const auto& entry : dtypes) print(out, entry);
    if (!selection.dtypes) out << "all dtypes\n";
    return text;
  }
  for (const Reasons* reasons : {&selection.operators, &dtypes}) {
    const auto found = reasons->find(name.str());
    if (found == reasons->end()) continue;
    print(out, *found);
    return text;
  }
  std::vector<std::string> known = names_of(selection.operators);
  llvm::append_range(known, names_of(dtypes));
  return llvm::createStringError("`" + name.str() + "` is not selected" + did_you_mean(name, known));
}

}  // namespace structured::gen
