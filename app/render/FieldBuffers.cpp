#include "render/FieldBuffers.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>

#include "program/SourceLocation.h"

namespace haloscope::render {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Copies through the host take at most this share of the time, so that large fields do not stall every frame.
constexpr double kPublishShare = 0.3;

void checkLimits(const FieldGrid& grid) {
  if (grid.element != ValueType::F32) {
    throw InputError(fmt::format("a field of {} cannot be drawn yet: only float fields can", name(grid.element)));
  }
  GLint64 limit = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
  if (static_cast<GLint64>(grid.bytes()) > limit) {
    throw InputError(
        fmt::format("a field of {} × {} × {} needs a buffer of {} MiB, this OpenGL allows {} MiB: choose a "
                    "smaller size",
                    grid.extents[0], grid.extents[1], grid.extents[2], grid.bytes() >> 20U, limit >> 20));
  }
}

void drainErrors() {
  while (glGetError() != GL_NO_ERROR) {}
}

std::uint32_t makeBuffer(const FieldGrid& grid) {
  drainErrors();
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(grid.bytes()), nullptr, GL_DYNAMIC_COPY);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    glDeleteBuffers(1, &buffer);
    throw InputError(
        fmt::format("OpenGL has no room for a field of {} MiB: choose a smaller size", grid.bytes() >> 20U));
  }
  return buffer;
}

}  // namespace

FieldBuffers::FieldBuffers(const FieldGrid& grid, const std::shared_ptr<const gpu::Device>& device, bool hostCopy)
    : grid_(grid) {
  checkLimits(grid);
  buffers_[0] = makeBuffer(grid);
  if (!device) { return; }
  try {
    tryInterop(device, hostCopy);
    if (path_ != FieldPath::Interop) { useDeviceArrays(device); }
  } catch (...) {  // the destructor does not run for a constructor that throws
    shared_ = {};
    glDeleteBuffers(2, buffers_.data());
    throw;
  }
}

FieldBuffers::~FieldBuffers() {
  shared_ = {};  // registrations go before the buffers they are of
  glDeleteBuffers(2, buffers_.data());
}

void FieldBuffers::tryInterop(const std::shared_ptr<const gpu::Device>& device, bool hostCopy) {
  reason_ = hostCopy ? "interop is turned off" : gpu::SharedBuffer::refusal(*device);
  if (!reason_.empty()) { return; }
  buffers_[1] = makeBuffer(grid_);
  try {
    for (std::size_t i = 0; i < 2; ++i) { shared_.at(i) = std::make_unique<gpu::SharedBuffer>(device, buffers_.at(i)); }
    // Some drivers register and then refuse to map.
    const gpu::Stream stream(device);
    for (const auto& buffer : shared_) {
      buffer->map(stream);
      buffer->unmap(stream);
    }
    path_ = FieldPath::Interop;
  } catch (const gpu::Error& refused) {
    reason_ = refused.what();
    shared_ = {};
    glDeleteBuffers(1, &buffers_[1]);
    buffers_[1] = 0;
  }
}

void FieldBuffers::useDeviceArrays(const std::shared_ptr<const gpu::Device>& device) {
  try {
    for (std::size_t i = 0; i < 2; ++i) {
      arrays_.at(i) = std::make_unique<gpu::DeviceMemory>(device, grid_.bytes());
      addresses_.at(i) = arrays_.at(i)->address();
    }
    landing_ = std::make_unique<gpu::PinnedMemory>(device, grid_.bytes());
  } catch (const gpu::Error& full) {
    throw InputError(fmt::format("the GPU has no room for the field: {}", full.what()));
  }
  landed_.emplace(device);
  device_ = device;
  path_ = FieldPath::HostCopy;
}

void FieldBuffers::store(std::size_t offset, std::span<const std::byte> values) const {
  if (offset + values.size() > grid_.bytes()) {
    throw InputError(
        fmt::format("{} bytes from {} on do not fit into a field of {}", values.size(), offset, grid_.bytes()));
  }
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers_[0]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(values.size()),
                  values.data());
}

void FieldBuffers::fill(std::span<const std::byte> values) {
  fillPart(0, values);
  finishFill();
}

void FieldBuffers::fillPart(std::size_t offset, std::span<const std::byte> values) {
  store(offset, values);
  if (arrays_[0]) { arrays_[0]->upload(values, offset); }
}

void FieldBuffers::finishFill() {
  newest_ = 0;
  swept_ = false;
  underway_ = false;
  equalise();
}

void FieldBuffers::equalise() {
  if (path_ == FieldPath::Interop) {
    glBindBuffer(GL_COPY_READ_BUFFER, buffers_.at(newest_));
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffers_.at(1 - newest_));
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, static_cast<GLsizeiptr>(grid_.bytes()));
  } else if (path_ == FieldPath::HostCopy) {
    const gpu::Stream stream(device_);
    gpu::copyAsync(stream, output(), input(), grid_.bytes());
    stream.synchronize();
  }
}

void FieldBuffers::show(std::span<const std::byte> values) { store(0, values); }

void FieldBuffers::beginSweeps(const gpu::Stream& stream) {
  if (path_ != FieldPath::Interop) { return; }
  glFlush();  // the kernels wait for what OpenGL was asked for, which it may not have begun
  for (std::size_t i = 0; i < 2; ++i) { addresses_.at(i) = shared_.at(i)->map(stream); }
}

void FieldBuffers::abandon() {
  buffers_ = {};
  addresses_ = {};
}

void FieldBuffers::endSweeps(const gpu::Stream& stream) {
  swept_ = path_ == FieldPath::HostCopy;
  if (path_ != FieldPath::Interop) { return; }
  for (const auto& buffer : shared_) { buffer->unmap(stream); }
}

bool FieldBuffers::publish(const gpu::Stream& stream) {
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
    gpu::downloadAsync(stream, landing_->bytes(), input());
    landed_->record(stream);
    swept_ = false;
    underway_ = true;
  }
  return changed;
}

std::uint32_t FieldBuffers::shown() const { return path_ == FieldPath::Interop ? buffers_.at(newest_) : buffers_[0]; }

float FieldBuffers::valueAt(const std::array<std::int64_t, 3>& at) const {
  float value = 0;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, shown());
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(grid_.index(at) * sizeInMemory(grid_.element)),
                     sizeof value, &value);
  return value;
}

void FieldBuffers::read(std::span<std::byte> values) const {
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, shown());
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(std::min(values.size(), grid_.bytes())),
                     values.data());
}

}  // namespace haloscope::render
