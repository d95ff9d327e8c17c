// A catalogue of a library's operators, as a page of Markdown or HTML.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

/// The dtypes that operators accept, as words of the `dtypes` attribute.
using DtypesByOperator = llvm::StringMap<std::vector<std::string>>;

/// Returns a page of Markdown: a table of operators in alphabetical order, with schemas, backends, dtypes, the first
/// sentence of the documentation and sources. Dtypes are those in `dtypes`, or else the declared ones. Links to sources
/// are `source_url/PATH`, without lines, so that only changes of operators change the page.
std::string catalogue_markdown(const Library& library, llvm::StringRef source_url, const DtypesByOperator& dtypes);

/// Returns a self-contained HTML page with the table of catalogue_markdown and the whole documentation. A click on a
/// column sorts the table, and the query string `?search=WORDS&sort=COLUMN` searches and sorts it. Links to sources
/// include lines.
std::string catalogue_html(const Library& library, llvm::StringRef source_url, const DtypesByOperator& dtypes);

}  // namespace structured::gen
