#pragma once
// Memory whose address other libraries use: it must not move. Any thread may call these functions.

namespace structured::detail {

/// Counts one more user of the storage with this data.
void add_export(const void* data);
/// Ends what add_export began.
void remove_export(const void* data);
/// Whether the storage with this data has users.
bool is_exported(const void* data);

}  // namespace structured::detail
