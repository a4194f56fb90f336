#include "field/FieldBuffers.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>

#include "catalogue/Precision.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::field {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Copies through the host take at most this share of the time, so that large fields do not stall every frame.
constexpr double kPublishShare = 0.3;

void checkLimits(const render::FieldGrid& grid) {
  if (realTypeName(grid.element).empty()) {
    throw InputError(
        trf("the field shows arrays of half, float or double, but this kernel's are of type {}", name(grid.element)));
  }
  GLint64 limit = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
  if (static_cast<GLint64>(grid.bytes()) > limit) {
    throw InputError(
        trf("a field of {} × {} × {} needs a buffer of {} MiB, but this OpenGL allows {} MiB: choose a "
            "smaller size",
            grid.extents[0], grid.extents[1], grid.extents[2], grid.bytes() >> 20U, limit >> 20));
  }
}

void drainErrors() {
  while (glGetError() != GL_NO_ERROR) {}
}

/// What OpenGL's buffer has room for: shaders read it in words of 4 bytes.
std::size_t wordBytes(const render::FieldGrid& grid) { return (grid.bytes() + 3) / 4 * 4; }

std::uint32_t makeBuffer(const render::FieldGrid& grid) {
  drainErrors();
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(wordBytes(grid)), nullptr, GL_DYNAMIC_COPY);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    glDeleteBuffers(1, &buffer);
    throw InputError(trf("OpenGL has no room for a field of {} MiB: choose a smaller size", grid.bytes() >> 20U));
  }
  return buffer;
}

}  // namespace

FieldBuffers::FieldBuffers(const render::FieldGrid& grid, const std::shared_ptr<const gpu::Device>& device,
                           bool hostCopy, const FieldArrays& arrays)
    : grid_(grid), layout_(arrays) {
  checkLimits(grid);
  buffer_ = makeBuffer(grid);
  if (!device) { return; }
  try {
    useDeviceArrays(device);
    tryInterop(hostCopy);
    if (path_ != FieldPath::Interop) { useHostCopy(); }
  } catch (...) {  // the destructor does not run for a constructor that throws
    shared_ = {};
    glDeleteBuffers(1, &buffer_);
    throw;
  }
}

FieldBuffers::~FieldBuffers() {
  shared_ = {};  // the registration goes before the buffer it is of
  glDeleteBuffers(1, &buffer_);
}

void FieldBuffers::useDeviceArrays(const std::shared_ptr<const gpu::Device>& device) {
  device_ = device;
  try {
    for (std::size_t place = 0; place < layout_.objects.size(); ++place) {
      arrays_.push_back(std::make_unique<gpu::DeviceMemory>(device, grid_.bytes()));
    }
  } catch (const gpu::Error& full) {
    if (full.endsProcess()) { throw; }
    throw InputError(trf("the GPU has no room for the field: {}", full.what()));
  }
}

void FieldBuffers::tryInterop(bool hostCopy) {
  reason_ = hostCopy ? tr("interop is turned off") : gpu::SharedBuffer::refusal(*device_);
  if (!reason_.empty()) { return; }
  try {
    shared_ = std::make_unique<gpu::SharedBuffer>(device_, buffer_);
    // Some drivers register and then refuse to map.
    const gpu::Stream stream(device_);
    shared_->map(stream);
    shared_->unmap(stream);
    path_ = FieldPath::Interop;
  } catch (const gpu::Error& refused) {
    reason_ = refused.what();
    shared_ = {};
  }
}

void FieldBuffers::useHostCopy() {
  try {
    landing_ = std::make_unique<gpu::PinnedMemory>(device_, grid_.bytes());
  } catch (const gpu::Error& full) {
    if (full.endsProcess()) { throw; }
    throw InputError(trf("not enough host memory to copy the field through it: {}", full.what()));
  }
  landed_.emplace(device_);
  path_ = FieldPath::HostCopy;
}

void FieldBuffers::store(std::size_t offset, std::span<const std::byte> values) const {
  if (offset + values.size() > grid_.bytes()) {
    throw InputError(trf("{} bytes at offset {} do not fit into a field of {}", values.size(), offset, grid_.bytes()));
  }
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer_);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(values.size()),
                  values.data());
}

void FieldBuffers::fillPart(std::size_t offset, std::size_t bytes, const FieldValues& values) {
  if (path_ != FieldPath::Interop) { store(offset, std::span(*values[layout_.shown]).subspan(offset, bytes)); }
  for (std::size_t place = 0; place < arrays_.size(); ++place) {
    arrays_[place]->upload(std::span(*values[place]).subspan(offset, bytes), offset);
  }
}

void FieldBuffers::finishFill() {
  swept_ = false;
  underway_ = false;
  if (path_ == FieldPath::Interop) {
    const gpu::Stream stream(device_);
    copyToShown(stream);
    stream.synchronize();
  }
}

void FieldBuffers::equalise() {
  if (!device_) { return; }
  const gpu::Stream stream(device_);
  for (const auto& [to, from] : layout_.copies) {
    gpu::copyAsync(stream, arrays_.at(to)->address(), arrays_.at(from)->address(), grid_.bytes());
  }
  stream.synchronize();
}

void FieldBuffers::write(std::size_t place, std::size_t offset, std::span<const std::byte> bytes) {
  arrays_.at(place)->upload(bytes, offset);
}

std::vector<std::byte> FieldBuffers::values(std::size_t place) const {
  std::vector<std::byte> bytes(grid_.bytes());
  arrays_.at(place)->download(bytes);
  return bytes;
}

std::vector<gpu::DeviceAddress> FieldBuffers::addresses() const {
  std::vector<gpu::DeviceAddress> all;
  for (const auto& array : arrays_) { all.push_back(array->address()); }
  return all;
}

void FieldBuffers::advance() {
  std::vector<std::unique_ptr<gpu::DeviceMemory>> before = std::move(arrays_);
  arrays_.resize(before.size());
  for (std::size_t place = 0; place < arrays_.size(); ++place) {
    arrays_[place] = std::move(before[layout_.successors[place]]);
  }
}

void FieldBuffers::show(std::span<const std::byte> values) { store(0, values); }

void FieldBuffers::copyToShown(const gpu::Stream& stream) {
  glFlush();  // the copy waits for what OpenGL was asked for, which it may not have begun
  const gpu::DeviceAddress shown = shared_->map(stream);
  gpu::copyAsync(stream, shown, newest(), grid_.bytes());
  shared_->unmap(stream);
}

bool FieldBuffers::publish(const gpu::Stream& stream) {
  if (path_ == FieldPath::Interop && swept_) {
    copyToShown(stream);
    swept_ = false;
    return true;
  }
  if (path_ != FieldPath::HostCopy) { return false; }
  bool changed = false;
  if (underway_ && landed_->passed()) {
    underway_ = false;
    changed = true;
    const double begin = now();
    store(0, landing_->bytes());
    lastPublish_ = now();
    publishSeconds_ = lastPublish_ - begin;
  }
  if (swept_ && !underway_ && now() - lastPublish_ >= publishSeconds_ * (1 / kPublishShare - 1)) {
    gpu::downloadAsync(stream, landing_->bytes(), newest());
    landed_->record(stream);
    swept_ = false;
    underway_ = true;
  }
  return changed;
}

double FieldBuffers::valueAt(const std::array<std::int64_t, 3>& at) const {
  ArrayData one{.element = grid_.element, .extents = {1}};
  one.bytes.resize(static_cast<std::size_t>(sizeInMemory(grid_.element)));
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, shown());
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(grid_.index(at) * sizeInMemory(grid_.element)),
                     static_cast<GLsizeiptr>(one.bytes.size()), one.bytes.data());
  return experiment::valueAt(one, 0);
}

void FieldBuffers::read(std::span<std::byte> values) const {
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, shown());
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(std::min(values.size(), grid_.bytes())),
                     values.data());
}

}  // namespace haloscope::field
