// The memory of the whole program.
#pragma once

namespace structured::gen {

/// Lets the heap grow in large steps of large pages, where the system has these. A parser's heap is touched once: with
/// small pages a tenth of a scan is the system's handing out one after the other.
void prepare_heap();

}  // namespace structured::gen
