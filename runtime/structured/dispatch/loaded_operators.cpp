#include "structured/dispatch/loaded_operators.h"

#include <cstdint>
#include <cstring>

#if defined(__ELF__)
#include <link.h>
#endif

namespace structured::detail {
namespace {

#if defined(__ELF__)

struct Visit {
  bool (*visit)(void* context, ArrayRef<OperatorHandle> operators);
  void* context;
};

// Whether an address belongs to an image. In an image that another thread is loading, pointers may not be relocated
// yet.
bool contains(const dl_phdr_info& image, const void* address) {
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - image.dlpi_addr;
  for (std::size_t i = 0; i < image.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = image.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && offset - segment.p_vaddr < segment.p_memsz) return true;
  }
  return false;
}

bool is_relocated(const dl_phdr_info& image, const LibraryOperators& library) {
  if (!contains(image, library.first)) return false;
  for (std::size_t i = 0; i < library.count; ++i) {
    const OperatorHandle& op = library.first[i];
    if (!contains(image, op.op)) return false;
    if (op.meta != nullptr && !contains(image, reinterpret_cast<const void*>(op.meta))) return false;
  }
  return true;
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// Looks for the note that STRUCTURED_ANNOUNCE_OPERATORS has put into an image.
int visit_image(dl_phdr_info* image, std::size_t, void* context) {
  const Visit& visit = *static_cast<const Visit*>(context);
  for (std::size_t i = 0; i < image->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = image->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || segment.p_align > 4) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): program headers have addresses as integers
    const char* at = reinterpret_cast<const char*>(image->dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) header;
      std::memcpy(&header, at, sizeof(header));
      const char* const name = at + sizeof(header);
      const char* const content = name + padded(header.n_namesz);
      if (header.n_namesz == sizeof("Structured") && std::memcmp(name, "Structured", header.n_namesz) == 0) {
        int32_t distance = 0;
        std::memcpy(&distance, content, sizeof(distance));
        const auto& library = *reinterpret_cast<const LibraryOperators*>(content + distance);
        if (is_relocated(*image, library) && !visit.visit(visit.context, {library.first, library.count})) return 1;
      }
      at = content + padded(header.n_descsz);
    }
  }
  return 0;
}

#endif

}  // namespace

void visit_loaded_libraries(bool (*visit)(void* context, ArrayRef<OperatorHandle> operators), void* context) {
#if defined(__ELF__)
  Visit arguments{visit, context};
  dl_iterate_phdr(&visit_image, &arguments);
#else
  static_cast<void>(visit);
  static_cast<void>(context);
#endif
}

const OperatorHandle* find_loaded_operator(std::string_view name) {
  struct Search {
    std::string_view name;
    const OperatorHandle* found = nullptr;
  } search{name};
  visit_loaded_libraries(
      [](void* context, ArrayRef<OperatorHandle> operators) {
        Search& wanted = *static_cast<Search*>(context);
        wanted.found = find_operator(operators, wanted.name);
        return wanted.found == nullptr;
      },
      &search);
  return search.found;
}

}  // namespace structured::detail
