// A library's operators as pages for people.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

/// A page of Markdown: what there is, by name, with schemas, backends, dtypes where they are declared, and the first
/// sentence of the documentation. Sources are linked as `source_url/PATH`; without lines, so that the page changes when
/// operators do.
std::string catalogue_markdown(const Library& library, llvm::StringRef source_url);

/// The same as one HTML file that needs no other: a table that sorts by a click on a column and shows what is searched
/// for. `?search=WORDS&sort=COLUMN` behind its address does both. Sources are linked with their lines.
std::string catalogue_html(const Library& library, llvm::StringRef source_url);

}  // namespace structured::gen
