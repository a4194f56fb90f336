#include "render/RecordedValues.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <limits>

#include "render/FieldShader.h"

namespace haloscope::render {

namespace {

constexpr std::size_t kMostSteps = std::size_t{1} << 22;  // of the shader's keys: a step and one of 1024 threads
constexpr int kThreadsOfGroup = 32;                       // the shader's local size

enum Binding : GLuint { kWords, kSteps, kThreads, kSites, kRanges, kOutputs, kOrder, kValues, kBindings };

}  // namespace

struct RecordedValues::Impl {
  FieldShader shader;
  std::array<GLuint, kBindings> buffers{};
  GLuint texture = 0;
  std::size_t wordsBytes = 0;
  std::vector<std::uint32_t> carrierCells;  ///< the first cell of each carrier, or kNone
  std::uint32_t outputCell = kNone, cellCount = 0;
  int threads = 0, capacity = 0, ranges = 0, outputRange = -1, outputs = 0;
  bool described = false;
  std::size_t position = std::numeric_limits<std::size_t>::max();
  std::uint64_t revision = 0;

  explicit Impl(const std::filesystem::path& shaders) : shader(shaders, {"recorded_values.comp"}) {
    glGenBuffers(kBindings, buffers.data());
    glGenTextures(1, &texture);
  }
  ~Impl() {
    glDeleteTextures(1, &texture);
    glDeleteBuffers(kBindings, buffers.data());
  }

  template <typename Value>
  void fill(Binding which, const std::vector<Value>& values) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[which]);
    const std::size_t bytes = std::max<std::size_t>(values.size() * sizeof(Value), 16);
    glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
    if (!values.empty()) {
      glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(values.size() * sizeof(Value)),
                      values.data());
    }
  }
};

RecordedValues::RecordedValues(const std::filesystem::path& shaders) : impl_(std::make_unique<Impl>(shaders)) {}
RecordedValues::~RecordedValues() = default;

void RecordedValues::reserve(std::size_t bytes) {
  if (bytes <= impl_->wordsBytes) { return; }
  glDeleteBuffers(1, &impl_->buffers[kWords]);
  glGenBuffers(1, &impl_->buffers[kWords]);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, impl_->buffers[kWords]);
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
  impl_->wordsBytes = bytes;
}

std::uint32_t RecordedValues::wordsBuffer() const { return impl_->buffers[kWords]; }
std::size_t RecordedValues::wordsBytes() const { return impl_->wordsBytes; }

void RecordedValues::upload(const BlockLog& log) {
  reserve(log.words.size() * sizeof(std::uint32_t));
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, impl_->buffers[kWords]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(log.words.size() * sizeof(std::uint32_t)),
                  log.words.data());
}

void RecordedValues::flush() { glFlush(); }

bool RecordedValues::describe(const Block& block) {
  Impl& impl = *impl_;
  const recording::Recording& recording = *block.recording;
  const Program& program = *recording.program;
  impl.described = false;
  ++impl.revision;
  const bool changesUnseen = std::ranges::any_of(program.code, [](const Instruction& instruction) {
    return isAtomic(instruction.op) || instruction.async || instruction.op == Opcode::MemoryBarrier;
  });
  if (changesUnseen || recording.steps.size() >= kMostSteps) { return false; }
  impl.threads = static_cast<int>(recording.threadCount());
  impl.capacity = static_cast<int>(block.log->capacity);

  std::vector<std::uint32_t> steps;
  std::vector<std::array<std::uint32_t, 4>> threads;
  for (std::size_t thread = 0; thread < block.index->steps.size(); ++thread) {
    const std::vector<std::uint32_t>& own = block.index->steps[thread];
    threads.push_back({std::min(block.log->counts[thread], block.log->capacity),
                       static_cast<std::uint32_t>(steps.size()), static_cast<std::uint32_t>(own.size()), 0});
    steps.insert(steps.end(), own.begin(), own.end());
  }
  impl.fill(kSteps, steps);
  impl.fill(kThreads, threads);

  const auto addressOf = [&](ObjectId id) {
    const auto found = block.index->places.find(id);
    return found == block.index->places.end() ? std::uint64_t{0} : found->second;
  };
  std::vector<std::array<std::uint32_t, 4>> ranges;
  const auto addRange = [&](ObjectId id, std::int64_t elements, std::uint32_t cell) {
    const std::uint64_t address = addressOf(id);
    ranges.push_back({static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32),
                      static_cast<std::uint32_t>(elements * 4), cell});
    return address != 0;
  };
  std::vector<std::uint32_t> sites(block.sites->size(), kNone);
  impl.carrierCells.clear();
  impl.cellCount = 0;
  for (const recording::Carrier& carrier : *block.carriers) {
    impl.carrierCells.push_back(kNone);
    if (carrier.type != ValueType::F32) { continue; }
    std::int64_t cells = 1;
    for (const std::int64_t extent : carrier.extents) { cells *= extent; }
    if (carrier.kind == recording::Carrier::Kind::SharedArray) {
      if (!addRange(carrier.id, cells, impl.cellCount)) { continue; }
    } else {
      const Variable& variable = block.placed->variables[carrier.id];
      for (std::size_t site = 0; site < sites.size(); ++site) {
        const LogSite& one = (*block.sites)[site];
        if (one.kind == LogKind::Variable && one.declared == variable.declared && one.field == 0) {
          sites[site] = impl.cellCount;
        }
      }
    }
    impl.carrierCells.back() = impl.cellCount;
    impl.cellCount += static_cast<std::uint32_t>(cells);
  }
  impl.outputCell = kNone;
  impl.outputRange = -1;
  std::vector<std::uint32_t> outputs;
  const ObjectId output = block.footprint->output;
  if (output != kNone && program.objects[output].element == ValueType::F32) {
    for (const std::int64_t element : block.footprint->outputs) {
      outputs.push_back(static_cast<std::uint32_t>(element));
    }
    std::int64_t elements = 1;
    for (const std::int64_t extent : block.footprint->outputExtents) { elements *= extent; }
    impl.outputRange = static_cast<int>(ranges.size());
    if (elements < (std::int64_t{1} << 30) && addRange(output, elements, impl.cellCount)) {
      impl.outputCell = impl.cellCount;
      impl.cellCount += static_cast<std::uint32_t>(outputs.size());
    }
  }
  impl.ranges = static_cast<int>(ranges.size());
  impl.outputs = static_cast<int>(outputs.size());
  impl.fill(kSites, sites);
  impl.fill(kRanges, ranges);
  impl.fill(kOutputs, outputs);
  const std::vector<std::uint32_t> none(impl.cellCount, 0);
  impl.fill(kOrder, none);
  impl.fill(kValues, none);
  glBindTexture(GL_TEXTURE_BUFFER, impl.texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, impl.buffers[kValues]);
  impl.described = true;
  impl.position = std::numeric_limits<std::size_t>::max();
  return true;
}

void RecordedValues::goTo(std::size_t position) {
  Impl& impl = *impl_;
  if (!impl.described || impl.position == position || impl.cellCount == 0) { return; }
  impl.position = position;
  constexpr std::uint32_t kZero = 0;
  for (const Binding cleared : {kOrder, kValues}) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, impl.buffers[cleared]);
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &kZero);
  }
  for (GLuint binding = 0; binding < kBindings; ++binding) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, impl.buffers.at(binding));
  }
  impl.shader.use();
  impl.shader.set("threadCount", impl.threads);
  impl.shader.set("capacity", impl.capacity);
  impl.shader.set("rangeCount", impl.ranges);
  impl.shader.set("outputRange", impl.outputRange);
  impl.shader.set("outputCount", impl.outputs);
  impl.shader.set("position", static_cast<int>(position));
  for (const int pass : {0, 1}) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    impl.shader.set("pass", pass);
    glDispatchCompute(static_cast<GLuint>((impl.threads + kThreadsOfGroup - 1) / kThreadsOfGroup), 1, 1);
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  ++impl.revision;
}

std::uint32_t RecordedValues::cell(const SceneSource& source) const {
  const Impl& impl = *impl_;
  if (!impl.described) { return kNone; }
  if (source.kind == SceneSource::Kind::Output && impl.outputCell != kNone) { return impl.outputCell + source.index; }
  if (source.kind != SceneSource::Kind::Carrier || source.carrier >= impl.carrierCells.size()) { return kNone; }
  const std::uint32_t first = impl.carrierCells[source.carrier];
  return first == kNone ? kNone : first + source.index;
}

std::uint32_t RecordedValues::texture() const { return impl_->described ? impl_->texture : 0; }
std::uint64_t RecordedValues::revision() const { return impl_->revision; }

std::vector<std::uint32_t> RecordedValues::read() const {
  std::vector<std::uint32_t> values(impl_->cellCount);
  if (values.empty()) { return values; }
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, impl_->buffers[kValues]);
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(values.size() * sizeof(std::uint32_t)),
                     values.data());
  return values;
}

}  // namespace haloscope::render
