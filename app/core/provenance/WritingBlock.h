#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::provenance {

/// A thread and its block.
struct Writer {
  Dim3 block, thread;
};

/// The thread that stores an element, the last to do so of the last block if several do; nothing if none does, or if it
/// is asked to stop before it is found. Executes the grid; `launch` is used up. Throws InputError as simt::execute
/// does.
[[nodiscard]] std::optional<Writer> writerOf(const Program& program, Launch launch, ObjectId object,
                                             std::int64_t element, const std::stop_token& stop = {});
/// Its block alone.
[[nodiscard]] std::optional<Dim3> blockWriting(const Program& program, Launch launch, ObjectId object,
                                               std::int64_t element, const std::stop_token& stop = {});

/// The place in the text of what stores an element, of the last block that does; if none does, of the first store to
/// its array. Nothing if the text has none.
[[nodiscard]] std::optional<SourceRange> storeTo(const Program& program, Launch launch, ObjectId object,
                                                 std::int64_t element, const std::stop_token& stop = {});

}  // namespace haloscope::provenance
