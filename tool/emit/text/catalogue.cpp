#include "emit/text/catalogue.h"

#include <map>
#include <set>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "lower/decomposition.h"
#include "model/documentation.h"
#include "model/scalar_function.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

// One operator of the table.
struct Row {
  std::string name;  // `add.Tensor`
  std::vector<std::string> schemas;
  std::vector<std::string> variants;
  std::set<std::string> backends;
  std::vector<std::string> dtypes;  // empty if neither given nor declared
  Documentation documentation;
  bool is_core = false;
  std::vector<const Function*> functions;  // in order, without duplicates
};

void add_function(Row& row, const Function& function) {
  const auto is_known = [&](const Function* known) {
    return known->source == function.source && known->range.begin.line == function.range.begin.line;
  };
  if (!function.source.empty() && llvm::none_of(row.functions, is_known)) row.functions.push_back(&function);
}

void add_kernel(Row& row, const Kernel& kernel) {
  row.backends.insert(llvm::StringRef(kernel.backend).starts_with("Composite") ? "composite" : kernel.backend);
  add_function(row, kernel.function);
  for (const std::string& dtype : kernel.dtypes) {
    if (!llvm::is_contained(row.dtypes, dtype)) row.dtypes.push_back(dtype);
  }
}

const char* variant_name(Variant::Kind kind) {
  switch (kind) {
    case Variant::Kind::functional:
      return "functional";
    case Variant::Kind::inplace:
      return "in-place";
    case Variant::Kind::out:
      return "out=";
  }
  llvm_unreachable("all kinds are named");
}

void add_variant(Row& row, const Variant& variant, const Library& library) {
  Schema schema = variant.schema;
  if (schema.name.ns == library.schema_namespace) schema.name.ns.clear();
  if (row.name.empty()) row.name = to_string(schema.name);
  row.schemas.push_back(to_string(schema));
  row.variants.push_back(variant_name(variant.kind));
}

/// Adds the variants that are derived from kernels to the rows of the kernels.
void add_derived(std::vector<Row>& rows, const Library& library) {
  std::map<std::string, std::string> base;
  for (const Operator& op : library.operators) {
    const Variant& variant = op.variants.front();
    if (!variant.derived_from.empty()) base[to_string(variant.schema.name)] = variant.derived_from;
  }
  for (const Operator& op : library.operators) {
    const Variant& variant = op.variants.front();
    if (variant.derived_from.empty()) continue;
    std::string name = variant.derived_from;
    while (base.contains(name)) name = base.at(name);
    for (Row& row : rows) {
      if (row.name == name) add_variant(row, variant, library);
    }
  }
}

std::vector<Row> rows_of(const Library& library, const DtypesByOperator& dtypes) {
  std::vector<Row> rows;
  for (const Operator& op : library.operators) {
    if (!op.variants.front().derived_from.empty()) continue;
    Row& row = rows.emplace_back();
    for (const Variant& variant : op.variants) {
      add_variant(row, variant, library);
      for (const Kernel& kernel : variant.kernels) add_kernel(row, kernel);
    }
    if (op.structured) {
      row.backends.insert("Meta");
      add_function(row, op.structured->meta);
      for (const Kernel& impl : op.structured->impls) add_kernel(row, impl);
    }
    if (op.pointwise) {
      row.backends.insert("Meta");
      row.backends.insert(op.pointwise->backends.begin(), op.pointwise->backends.end());
      row.dtypes = op.pointwise->dtypes;
      if (row.dtypes.empty()) row.dtypes.push_back("all");
      add_function(row, op.pointwise->function);
    }
    if (const auto given = dtypes.find(row.name); given != dtypes.end()) row.dtypes = given->second;
    row.documentation = read_documentation(op.documentation);
    row.is_core = llvm::is_contained(op.tags, "core");
  }
  add_derived(rows, library);
  return rows;
}

std::string source_link(const Function& function, llvm::StringRef source_url, bool has_line) {
  std::string link = (source_url.rtrim('/') + (source_url.empty() ? "" : "/") + function.source).str();
  return has_line ? link + "#L" + std::to_string(function.range.begin.line) : link;
}

// Whether a sentence ends before `rest`. A lower case letter follows an abbreviation or an ellipsis.
bool starts_sentence(llvm::StringRef rest) {
  const llvm::StringRef next = rest.ltrim();
  return next.empty() || (next.size() < rest.size() && !llvm::isLower(next.front()));
}

std::string first_sentence(llvm::StringRef text) {
  text = text.take_front(text.find("\n\n"));
  std::size_t end = text.find('.');
  while (end != llvm::StringRef::npos && !starts_sentence(text.drop_front(end + 1))) {
    end = text.find('.', end + 1);
  }
  std::string sentence = (end == llvm::StringRef::npos ? text : text.take_front(end + 1)).str();
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  return sentence;
}

// Escapes `|`, which would end the cell.
std::string markdown_cell(llvm::StringRef text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// Escapes `<` outside of code, where it would begin an element.
std::string markdown_text(llvm::StringRef text) {
  std::string result;
  bool is_code = false;
  for (const char c : markdown_cell(text)) {
    is_code ^= c == '`';
    if (c == '<' && !is_code) {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

// `1 operator`, `2 operators`
std::string counted(std::size_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

// Names the operators at which a backward pass throws; empty for libraries without derivatives.
std::string missing_derivatives(const Library& library) {
  if (llvm::all_of(library.operators, [](const Operator& op) { return op.backwards.empty(); })) return "";
  std::vector<std::string> names;
  for (const Operator& op : library.operators) {
    OperatorName name = op.variants.front().schema.name;
    if (name.ns == library.schema_namespace) name.ns.clear();
    if (lacks_derivative(op)) names.push_back("`" + to_string(name) + "`");
  }
  return "Operators without a derivative: " + (names.empty() ? "none" : llvm::join(names, ", ")) + ".";
}

// Names the elementwise operators that compilers call as a whole, with the reasons; empty for libraries without their
// bodies.
std::string unseen_functions(const Library& library) {
  bool has_bodies = false;
  std::vector<std::string> unseen;
  for (const Operator& op : library.operators) {
    const Pointwise* function = element_function(op);
    if (!function) continue;
    has_bodies |= !function->bodies.empty();
    OperatorName name = op.variants.front().schema.name;
    if (name.ns == library.schema_namespace) name.ns.clear();
    const std::string code = "`" + to_string(name) + "` ";
    if (function->is_opaque) unseen.push_back(code + "is marked `opaque`");
    for (const DecompositionRefusal& refusal : decompose(*function).refusals) {
      unseen.push_back(code + refusal.reason + " (" + llvm::join(refusal.dtypes, ", ") + ")");
    }
  }
  if (!has_bodies) return "";
  return "Compilers see what elementwise operators compute" +
         (unseen.empty() ? std::string(".") : ", except for: " + llvm::join(unseen, "; ") + ".");
}

std::string html_text(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

// Turns backquoted code into <code> elements and blank lines into paragraphs.
std::string html_paragraphs(llvm::StringRef text) {
  std::string result;
  bool is_code = false;
  for (const llvm::StringRef part : llvm::split(text, '`')) {
    result += (is_code ? "<code>" : "") + html_text(part) + (is_code ? "</code>" : "");
    is_code = !is_code;
  }
  for (std::size_t at = 0; (at = result.find("\n\n", at)) != std::string::npos;) result.replace(at, 2, "<p>");
  return result;
}

std::string html_entries(llvm::StringRef title, const Documentation::Entries& entries) {
  if (entries.empty()) return "";
  std::string result = ("<dl><dt>" + title + "</dt>").str();
  for (const auto& [name, words] : entries) {
    result += "<dd><code>" + html_text(name) + "</code> " + html_paragraphs(words) + "</dd>";
  }
  return result + "</dl>";
}

std::string html_documentation(const Documentation& documentation) {
  std::string result = html_paragraphs(documentation.text);
  result += html_entries("Parameters", documentation.parameters);
  if (!documentation.returns.empty()) {
    result += "<dl><dt>Returns</dt><dd>" + html_paragraphs(documentation.returns) + "</dd></dl>";
  }
  return result + html_entries("Throws", documentation.throws);
}

constexpr const char* kDeclaredDtypes = "The column *dtypes* is empty where a kernel does not declare its dtypes.";
constexpr const char* kMeasuredDtypes =
    "The column *dtypes* lists the dtypes of tensor arguments, or of the result if there are none, for which a call of "
    "the operator succeeds; index and mask arguments are not counted. ";

// `Byte, Char, Short, Int and Long`, in the order of their sizes.
std::string dtypes_in(schema::DtypeSet set) {
  std::vector<const schema::Dtype*> dtypes;
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if ((set >> dtype.number & 1) != 0) dtypes.push_back(&dtype);
  }
  llvm::stable_sort(dtypes, [](const schema::Dtype* a, const schema::Dtype* b) { return a->size_log2 < b->size_log2; });
  std::string text;
  for (const schema::Dtype* dtype : dtypes) {
    if (!text.empty()) text += dtype == dtypes.back() ? " and " : ", ";
    text += dtype->name;
  }
  return text;
}

std::string measured_dtypes() {
  return kMeasuredDtypes + ("`integral` means " + dtypes_in(schema::kIntegralTypes)) + ", `floating` " +
         dtypes_in(schema::kAllFloatingTypes) + ", `complex` " + dtypes_in(schema::kAllComplexTypes) + ".";
}

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
input { font: inherit; padding: .35rem .6rem; width: 28rem; max-width: 100%; }
table { border-collapse: collapse; margin-top: 1rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem; border-bottom: 1px solid #8884; }
th { position: sticky; top: 0; background: Canvas; cursor: pointer; white-space: nowrap; }
th[aria-sort=ascending]::after { content: " \2191"; }
th[aria-sort=descending]::after { content: " \2193"; }
code { font: 13px/1.4 ui-monospace, monospace; }
td.schemas code { display: block; }
dl { margin: .4rem 0 0; }
dd { margin: 0 0 0 1rem; }
td.name { font-weight: 600; white-space: nowrap; }
.core { font-size: 11px; font-weight: 400; border: 1px solid #8888; border-radius: 3px; padding: 0 .3em; }
tr[hidden] { display: none; }
)css";

constexpr const char* kScript = R"js(
const table = document.querySelector("table"), body = table.tBodies[0], search = document.querySelector("input");
const heads = [...table.tHead.rows[0].cells], count = document.querySelector("#count");
function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    shown += !row.hidden;
  }
  count.textContent = `${shown} of ${body.rows.length}`;
}
function sort(column, descending) {
  const rows = [...body.rows], key = row => row.cells[column].textContent.trim();
  rows.sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }) * (descending ? -1 : 1));
  body.append(...rows);
  heads.forEach((head, i) => i === column ? head.setAttribute("aria-sort", descending ? "descending" : "ascending")
                                          : head.removeAttribute("aria-sort"));
}
heads.forEach((head, i) => head.addEventListener("click", () => sort(i, head.getAttribute("aria-sort") === "ascending")));
search.addEventListener("input", show);
const asked = new URLSearchParams(location.search);
search.value = asked.get("search") ?? "";
const column = heads.findIndex(head => head.textContent.toLowerCase() === asked.get("sort"));
if (column >= 0) sort(column, false);
show();
)js";

}  // namespace

std::string catalogue_markdown(const Library& library, llvm::StringRef source_url, const DtypesByOperator& dtypes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const std::vector<Row> rows = rows_of(library, dtypes);
  std::size_t schemas = 0;
  for (const Row& row : rows) schemas += row.schemas.size();
  out << "# Operators of `" << library.schema_namespace
      << "`\n\n<!-- Made by `structured-gen docs`. Do not edit. -->\n\n"
      << counted(rows.size(), "operator") << " with " << counted(schemas, "schema") << ". "
      << (dtypes.empty() ? kDeclaredDtypes : measured_dtypes());
  for (const std::string& sentence : {missing_derivatives(library), unseen_functions(library)}) {
    if (!sentence.empty()) out << " " << sentence;
  }
  out << "\n\n"
         "| operator | schemas | backends | dtypes | what it does | sources |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Row& row : rows) {
    std::vector<std::string> codes;
    for (const std::string& schema : row.schemas) codes.push_back("`" + markdown_cell(schema) + "`");
    std::vector<std::string> links;
    std::set<llvm::StringRef> seen;
    for (const Function* function : row.functions) {
      if (seen.insert(function->source).second) {
        links.push_back("[" + function->source + "](" + source_link(*function, source_url, false) + ")");
      }
    }
    out << "| `" << row.name << "` | " << llvm::join(codes, "<br>") << " | " << llvm::join(row.backends, ", ") << " | "
        << llvm::join(row.dtypes, ", ") << " | " << markdown_text(first_sentence(row.documentation.text)) << " | "
        << llvm::join(links, "<br>") << " |\n";
  }
  return text;
}

std::string catalogue_html(const Library& library, llvm::StringRef source_url, const DtypesByOperator& dtypes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const std::string title = "Operators of " + html_text(library.schema_namespace);
  out << "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
      << title << "</title>\n<style>" << kStyle << "</style>\n<h1>" << title << "</h1>\n";
  for (const std::string& sentence : {missing_derivatives(library), unseen_functions(library)}) {
    if (!sentence.empty()) out << "<p>" << html_paragraphs(sentence) << "</p>\n";
  }
  out << "<label>Search <input type=\"search\" autofocus></label> <span id=\"count\"></span>\n"
         "<table>\n<thead><tr><th>Operator<th>Schemas<th>Variants<th>Backends<th>Dtypes<th>Documentation<th>Sources"
         "</tr></thead>\n<tbody>\n";
  for (const Row& row : rows_of(library, dtypes)) {
    out << "<tr><td class=\"name\">" << html_text(row.name) << (row.is_core ? " <span class=\"core\">core</span>" : "")
        << "<td class=\"schemas\">";
    for (const std::string& schema : row.schemas) out << "<code>" << html_text(schema) << "</code>";
    out << "<td>" << llvm::join(row.variants, ", ") << "<td>" << html_text(llvm::join(row.backends, ", ")) << "<td>"
        << html_text(llvm::join(row.dtypes, ", ")) << "<td>" << html_documentation(row.documentation) << "<td>";
    for (const Function* function : row.functions) {
      out << "<a href=\"" << html_text(source_link(*function, source_url, true)) << "\">" << html_text(function->source)
          << "</a><br>";
    }
    out << "</tr>\n";
  }
  out << "</tbody>\n</table>\n<script>" << kScript << "</script>\n</html>\n";
  return text;
}

}  // namespace structured::gen
