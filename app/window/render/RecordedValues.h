#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "program/BlockLog.h"
#include "recording/BlockView.h"
#include "recording/LogReader.h"
#include "recording/Recording.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// What the cells of a scene hold, taken from the words that a block's threads wrote on the GPU: they lie in a buffer
/// that CUDA fills and OpenGL reads, and the values never pass through the host. The host says only which statement
/// belongs to which step. Needs a current OpenGL context from its making to its end.
class RecordedValues {
 public:
  /// `shaders`: the folder with recorded_values.comp. Throws FieldShaderError.
  explicit RecordedValues(const std::filesystem::path& shaders);
  ~RecordedValues();
  RecordedValues(const RecordedValues&) = delete;
  RecordedValues& operator=(const RecordedValues&) = delete;

  /// The buffer for the words, of at least this many bytes. A larger one is another buffer: forget what was registered.
  void reserve(std::size_t bytes);
  [[nodiscard]] std::uint32_t wordsBuffer() const;
  [[nodiscard]] std::size_t wordsBytes() const;
  /// Where the buffer cannot be shared: the words by way of the host.
  void upload(const BlockLog& log);

  struct Block {
    const recording::Recording* recording = nullptr;
    const std::vector<recording::Carrier>* carriers = nullptr;
    const recording::Footprint* footprint = nullptr;
    const Program* placed = nullptr;  ///< see recording::LoggedBlock
    const std::vector<LogSite>* sites = nullptr;
    const BlockLog* log = nullptr;  ///< without its words, which are in the buffer
    const recording::LogIndex* index = nullptr;
  };
  /// What the words in the buffer are about. False where the shader could not follow them: kernels with atomic
  /// operations, and recordings of millions of steps.
  bool describe(const Block& block);
  /// Flushes OpenGL's commands to the GPU before the buffer becomes CUDA's: mapping does not.
  static void flush();
  /// Computes what the cells hold at a position of the cursor, if it is not there already.
  void goTo(std::size_t position);

  /// Where a cell's value is, or kNone: cells of arrays and variables of 32-bit floats have one.
  [[nodiscard]] std::uint32_t cell(const SceneSource& source) const;
  /// A buffer texture of 32-bit words, a cell's bits each; 0 while nothing is described.
  [[nodiscard]] std::uint32_t texture() const;
  /// Differs between contents.
  [[nodiscard]] std::uint64_t revision() const;
  /// The bits of all cells, for tests: as goTo() left them.
  [[nodiscard]] std::vector<std::uint32_t> read() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloscope::render
