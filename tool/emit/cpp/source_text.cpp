#include "emit/cpp/source_text.h"

#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {

void write_banner(Writer& writer, llvm::StringRef source) {
  writer.line("// Emitted by structured-gen" + (source.empty() ? "" : " from " + source) + ". Do not edit.");
}

std::string nothing_from(llvm::StringRef source, llvm::StringRef what) {
  Writer writer;
  write_banner(writer, source);
  writer.line("// The source has no " + what + ".");
  return writer.text();
}

std::string include_spelling(llvm::StringRef header, llvm::ArrayRef<llvm::StringLiteral> folders) {
  const bool is_system = llvm::any_of(folders, [&](llvm::StringRef folder) { return header.starts_with(folder); });
  return is_system ? ("<" + header + ">").str() : ("\"" + header + "\"").str();
}

void add_author_headers(const StructuredParts& parts, std::set<std::string>& headers,
                        llvm::ArrayRef<llvm::StringLiteral> folders) {
  headers.insert(include_spelling(parts.base.header, folders));
  if (parts.precomputed) {
    headers.insert(include_spelling(parts.precomputed->type.header, folders));
  }
}

void write_includes(Writer& writer, const std::set<std::string>& spellings) {
  const auto group = [](llvm::StringRef directive) {
    return !directive.starts_with("<") ? 2 : directive.ends_with(".h>") ? 1 : 0;
  };
  for (int wanted = 0; wanted < 3; ++wanted) {
    writer.blank();
    for (const std::string& directive : spellings) {
      if (group(directive) == wanted) {
        writer.line("#include " + directive);
      }
    }
  }
}

void declare_functions(Writer& writer, std::vector<const Function*> functions) {
  std::map<std::string, std::set<std::string>> seen;
  std::map<std::string, std::vector<const Function*>> by_namespace;
  for (const Function* function : functions) {
    const llvm::StringRef ns = llvm::StringRef(function->name).rsplit("::").first;
    const bool is_global = ns.size() == function->name.size();
    if (seen[function->name].insert(llvm::join(function->parameters, ",")).second) {
      by_namespace[is_global ? "" : ns.str()].push_back(function);
    }
  }
  for (auto& [ns, members] : by_namespace) {
    llvm::sort(members, [](const Function* a, const Function* b) {
      return std::tie(a->name, a->parameters) < std::tie(b->name, b->parameters);
    });
    std::optional<Writer::Scope> scope;
    if (ns.empty()) {
      writer.blank();
    } else {
      scope.emplace(writer.in_namespace(ns));
    }
    for (const Function* function : members) {
      std::vector<std::string> types;
      for (const std::string& type : function->parameters) {
        types.push_back(qualified_type(type));
      }
      const llvm::StringRef name = llvm::StringRef(function->name).rsplit("::").second;
      writer.list((function->is_extern_c ? "extern \"C\" " : "") + qualified_type(function->result) + " " +
                      (name.empty() ? function->name : name) + "(",
                  types, ");");
    }
  }
}

namespace {

// The longest prefix of at most `room` bytes that ends after a blank or, without blanks, at a UTF-8 character.
llvm::StringRef first_piece(llvm::StringRef text, std::size_t room) {
  if (text.size() <= room) {
    return text;
  }
  const std::size_t space = text.rfind(' ', room);
  if (space != llvm::StringRef::npos && space != 0) {
    return text.take_front(space + 1);
  }
  const auto is_inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t size = room;
  while (size > 0 && is_inside_character(size)) {
    --size;
  }
  return text.take_front(size == 0 ? room : size);
}

}  // namespace

std::string string_literal(llvm::StringRef text) { return string_literal(text, std::string::npos).front(); }

std::vector<std::string> string_literal(llvm::StringRef text, std::size_t columns) {
  std::vector<std::string> pieces;
  const std::size_t room = columns - 2;  // the quotes
  do {
    const llvm::StringRef piece = first_piece(text, room);
    text = text.drop_front(piece.size());
    std::string literal;
    for (const char c : piece) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        literal.append({'\\', c});
      } else if (byte < ' ') {
        literal.append({'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                        static_cast<char>('0' + byte % 8)});
      } else {
        literal += c;
      }
    }
    pieces.push_back("\"" + literal + "\"");
  } while (!text.empty());
  return pieces;
}

HiddenVisibility::HiddenVisibility(Writer& writer) : writer_(writer) {
  writer_.blank();
  writer_.line("#pragma GCC visibility push(hidden)");
}

HiddenVisibility::~HiddenVisibility() {
  writer_.blank();
  writer_.line("#pragma GCC visibility pop");
}

}  // namespace structured::gen
