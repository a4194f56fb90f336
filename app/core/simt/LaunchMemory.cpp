#include "simt/LaunchMemory.h"

#include <cstring>
#include <string>

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::simt {
namespace {

constexpr std::uint32_t kMaxGridYZ = 65535;
constexpr std::uint32_t kMaxGridX = 0x7fffffffU;
constexpr std::int64_t kMiB = 1 << 20;
/// Of all local arrays of a block's threads. A GPU keeps those of all its resident threads, some hundreds of blocks.
constexpr std::int64_t kMaxLocalBytesPerBlock = 64 * kMiB;

void checkConfiguration(const Program& program, const LaunchConfiguration& configuration) {
  const Dim3& block = configuration.block;
  const Dim3& grid = configuration.grid;
  if (block.count() == 0) { throw InputError(trf("block {} has no threads", extentText(block))); }
  if (grid.count() == 0) { throw InputError(trf("grid {} has no blocks", extentText(grid))); }
  if (block.x > kMaxThreadsPerBlock || block.y > kMaxThreadsPerBlock || block.count() > kMaxThreadsPerBlock) {
    throw InputError(trf("block {} has {} threads; a block can have at most {}", extentText(block), block.count(),
                         kMaxThreadsPerBlock));
  }
  if (block.z > kMaxBlockZ) {
    throw InputError(
        trf("block {} is {} threads deep; a block can be at most {} deep", extentText(block), block.z, kMaxBlockZ));
  }
  if (grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ) {
    throw InputError(trf("grid {} is too large; a grid can have at most {}×{}×{} blocks", extentText(grid), kMaxGridX,
                         kMaxGridYZ, kMaxGridYZ));
  }
  if (const std::string problem = clusterProblem(program, configuration); !problem.empty()) {
    throw InputError(problem);
  }
  if (configuration.dynamicSharedBytes < 0) {
    throw InputError(trf("dynamic shared memory cannot be negative ({} bytes)", configuration.dynamicSharedBytes));
  }
  const std::int64_t shared = program.sharedBytes() + configuration.dynamicSharedBytes;
  if (shared > configuration.sharedBytesLimit) {
    throw InputError(
        trf("a block needs {} bytes of shared memory ({} declared, {} dynamic); it can have "
            "at most {}",
            shared, program.sharedBytes(), configuration.dynamicSharedBytes, configuration.sharedBytesLimit));
  }
  const std::int64_t local = localBytes(program) * configuration.threadsPerBlock();
  if (local > kMaxLocalBytesPerBlock) {
    throw InputError(trf("the local arrays of a block's {} threads take {} MiB; they can have at most {}",
                         configuration.threadsPerBlock(), (local + kMiB - 1) / kMiB, kMaxLocalBytesPerBlock / kMiB));
  }
}

void checkArray(const MemoryObject& object, const ArrayData& array, bool mayBeEmpty) {
  if (array.bytes.empty()) {
    if (mayBeEmpty) { return; }
    if (object.space == MemorySpace::Constant && !object.initial.empty()) { return; }
    throw InputError(trf("the array {} has no data", object.name));
  }
  if (array.element != object.element) {
    throw InputError(
        trf("the array {} holds {}, but the launch gives {}", object.name, name(object.element), name(array.element)));
  }
  const auto given = static_cast<std::int64_t>(array.bytes.size());
  if (given / sizeInMemory(array.element) != array.elementCount()) {
    throw InputError(trf("the array {} has {} elements, but {} bytes", object.name, array.elementCount(), given));
  }
  if (!object.extentsAtLaunch && given != object.byteCount()) {
    throw InputError(trf("the array {} is declared with {} elements, but the launch gives {}", object.name,
                         object.elementCount(), array.elementCount()));
  }
}

}  // namespace

std::vector<std::byte> initialBytes(const MemoryObject& object) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(object.byteCount()), std::byte{0});
  const auto size = static_cast<std::size_t>(sizeInMemory(object.element));
  for (std::size_t i = 0; i < object.initial.size() && (i + 1) * size <= bytes.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &object.initial[i], size);  // little-endian: the low bytes come first
  }
  return bytes;
}

std::int64_t localBytes(const Program& program) {
  std::int64_t bytes = 0;
  for (const MemoryObject& object : program.objects) {
    if (object.space == MemorySpace::Local) { bytes += object.byteCount(); }
  }
  return bytes;
}

void checkLaunch(const Program& program, const Launch& launch) {
  checkConfiguration(program, launch.configuration);
  if (launch.arguments.size() != program.parameters.size()) {
    throw InputError(trf("the kernel {} has {} parameters; the launch gives {} arguments", program.kernel,
                         program.parameters.size(), launch.arguments.size()));
  }
  if (launch.arrays.size() != program.objects.size()) {
    throw InputError(trf("the kernel {} has {} arrays; the launch gives {}", program.kernel, program.objects.size(),
                         launch.arrays.size()));
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const MemoryObject& object = program.objects[i];
    if (object.space == MemorySpace::Global || object.space == MemorySpace::Constant) {
      checkArray(object, launch.arrays[i], !launch.offsets.empty() && object.space == MemorySpace::Global);
    }
  }
}

SharedPlacement placeShared(const Program& program, std::int64_t dynamicBytes) {
  constexpr std::size_t kAlignment = 16;
  SharedPlacement placement{.offsets = std::vector<std::size_t>(program.objects.size(), 0)};
  const auto each = [&](bool dynamic, const auto& place) {
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      const MemoryObject& object = program.objects[i];
      if (object.space == MemorySpace::Shared && object.extentsAtLaunch == dynamic) {
        place(object, placement.offsets[i]);
      }
    }
  };
  each(false, [&](const MemoryObject& object, std::size_t& offset) {
    offset = placement.bytes;
    const std::size_t end = offset + static_cast<std::size_t>(object.byteCount());
    placement.bytes = (end + kAlignment - 1) / kAlignment * kAlignment;
  });
  each(true, [&](const MemoryObject&, std::size_t& offset) { offset = placement.bytes; });
  placement.bytes += static_cast<std::size_t>(dynamicBytes);
  return placement;
}

LaunchMemory::LaunchMemory(const Program& program, Launch& launch) {
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const MemoryObject& object = program.objects[i];
    ObjectView view{.pointerBits = PackedPointer::pack(static_cast<ObjectId>(i), 0), .space = object.space};
    if (object.space == MemorySpace::Global || object.space == MemorySpace::Constant) {
      std::vector<std::byte>* bytes = &launch.arrays[i].bytes;
      if (bytes->empty() && object.space == MemorySpace::Constant) {
        bytes = &initialised_.emplace_back(initialBytes(object));
      }
      view.data = bytes->data();
      view.bytes = bytes->size();
    } else {
      const bool dynamic = object.space == MemorySpace::Shared && object.extentsAtLaunch;
      view.bytes = static_cast<std::uint64_t>(dynamic ? launch.configuration.dynamicSharedBytes : object.byteCount());
    }
    objects_.push_back(view);
  }
}

}  // namespace haloscope::simt
