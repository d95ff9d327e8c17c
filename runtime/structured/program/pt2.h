#pragma once
// The `.pt2` format, which torch.export.save writes.
#include <memory>
#include <string>
#include <string_view>

#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/program/graph.h"
#include "structured/program/operator_lookup.h"

namespace structured::program {

/// Name of the folder of all members with a slash at its end if `archive` is in this format, else empty.
std::string pt2_root(const detail::ZipArchive& archive);

/// Reads the program `model`, or the only program if `model` is empty. Throws Error, with the file and the path within
/// its JSON, for damaged files, for features that are not supported, and with a list of all missing operators.
Graph read_pt2(const detail::ZipArchive& archive, const std::shared_ptr<detail::FileBytes>& file,
               std::string_view model, const OperatorLookups& libraries);

}  // namespace structured::program
