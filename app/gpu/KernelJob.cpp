#include "gpu/KernelJob.h"

#include <cstring>
#include <map>
#include <type_traits>

namespace haloscope::gpu {

namespace {

/// One description of the layout, `exchange(way, job)`, serves both ways.
class Writer {
 public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void value(T& one) {
    append(std::as_bytes(std::span(&one, 1)));
  }
  template <typename T>
  void size(T& container) {
    std::uint64_t count = container.size();
    value(count);
  }
  void raw(std::span<std::byte> bytes) { append(bytes); }
  void map(std::map<std::string, std::string>& all);
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }

  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void value(T& one) {
    raw(std::as_writable_bytes(std::span(&one, 1)));
  }
  template <typename T>
  void size(T& container) {
    container.resize(count());
  }
  void raw(std::span<std::byte> bytes) {
    if (bytes.size() > rest_.size()) { throw InputError("the job for the GPU's process ends early"); }
    std::memcpy(bytes.data(), rest_.data(), bytes.size());
    rest_ = rest_.subspan(bytes.size());
  }
  void map(std::map<std::string, std::string>& all);

 private:
  std::uint64_t count() {
    std::uint64_t all = 0;
    value(all);
    // Every element takes a byte at least.
    if (all > rest_.size()) { throw InputError("the job for the GPU's process ends early"); }
    return all;
  }

  std::span<const std::byte> rest_;
};

template <typename Way>
void exchange(Way& way, std::string& text) {
  way.size(text);
  way.raw(std::as_writable_bytes(std::span(text)));
}

template <typename Way, typename T>
  requires std::is_trivially_copyable_v<T>
void exchange(Way& way, std::vector<T>& all) {
  way.size(all);
  way.raw(std::as_writable_bytes(std::span(all)));
}

void Writer::map(std::map<std::string, std::string>& all) {
  size(all);
  for (auto& [key, text] : all) {
    std::string name = key;
    exchange(*this, name);
    exchange(*this, text);
  }
}

void Reader::map(std::map<std::string, std::string>& all) {
  const std::uint64_t entries = count();
  for (std::uint64_t i = 0; i < entries; ++i) {
    std::string key;
    exchange(*this, key);
    exchange(*this, all[key]);
  }
}

template <typename Way>
void exchange(Way& way, MemoryObject& object) {
  exchange(way, object.name);
  way.value(object.space);
  way.value(object.element);
  exchange(way, object.extents);
  way.value(object.readOnly);
  way.value(object.extentsAtLaunch);
  exchange(way, object.initial);
  way.value(object.argument);
  way.value(object.argumentOffset);
}

template <typename Way>
void exchange(Way& way, Parameter& parameter) {
  way.value(parameter.type);
  way.value(parameter.object);
  way.value(parameter.argument);
  way.value(parameter.argumentOffset);
}

template <typename Way>
void exchange(Way& way, ArrayData& array) {
  way.value(array.element);
  exchange(way, array.extents);
  exchange(way, array.bytes);
}

template <typename Way, typename T>
void exchangeEach(Way& way, std::vector<T>& all) {
  way.size(all);
  for (T& one : all) { exchange(way, one); }
}

template <typename Way>
void exchange(Way& way, KernelJob& job) {
  way.value(job.device.ordinal);
  exchange(way, job.device.driver);
  exchange(way, job.text.file);
  exchange(way, job.text.text);
  way.map(job.text.defines);
  exchange(way, job.text.prologue);
  way.map(job.text.headers);
  exchange(way, job.text.kernel);
  way.map(job.text.variables);
  exchange(way, job.program.kernel);
  exchangeEach(way, job.program.objects);
  exchangeEach(way, job.program.parameters);
  exchange(way, job.program.argumentBytes);
  way.value(job.launch.configuration);
  exchange(way, job.launch.arguments);
  exchangeEach(way, job.launch.arrays);
  way.value(job.input);
  way.value(job.output);
}

}  // namespace

std::vector<std::byte> encode(const KernelJob& job) {
  Writer writer;
  KernelJob copy = job;  // one description for both ways: the writer leaves it as it is
  exchange(writer, copy);
  return writer.take();
}

KernelJob decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  KernelJob job;
  exchange(reader, job);
  return job;
}

}  // namespace haloscope::gpu
