#pragma once

#include <functional>

#include "host/Guest.h"
#include "host/RuntimeCall.h"

/// CUDA graphs: calls that are kept instead of made, and made each time that the graph is launched. A captured one
/// keeps its streams and what orders them; the nodes of a built one are done one after the other, those before that it
/// depends on.
namespace haloscope::host::runtime {

/// What a call of the runtime does, in the stream that it is given. Returns a cudaError_t.
using StreamWork = std::function<int(void* stream)>;

/// Whether calls in this stream are kept for a graph.
[[nodiscard]] bool isCaptured(const void* stream);
/// Keeps what a call in such a stream does.
void keepFor(const void* stream, StreamWork work);
/// Waiting for a captured stream, or for the device while any is captured, and using the default stream while one that
/// waits for it is captured, ends the capture: the error that the call returns; or kSuccess.
[[nodiscard]] int errorOfWaiting(const void* stream);
[[nodiscard]] int errorOfWaitingForDevice();
[[nodiscard]] int errorOfDefault(const void* stream);

/// An event is recorded in a captured stream: returns whether it is.
[[nodiscard]] bool keepRecord(const void* event, const void* stream);
/// Whether the event is one of a graph that is captured: then `stream` is captured, too.
[[nodiscard]] bool keepWait(const void* stream, const void* event);

namespace graphs {

struct Graph;
struct Executable;
/// As `haloscope_node` in GraphHeader.h: the graph that a call is added to, and the nodes that it depends on; or the
/// node of an executable graph that is replaced.
struct Place {
  Graph* graph;
  Executable* executable;
  const std::size_t* after;
  std::size_t count, node;
};
/// The node's number, from 1: a program does not follow handles. 0: the place is none.
std::size_t put(const Place* at, StreamWork work);

}  // namespace graphs

void noteStream(const void* stream, bool nonBlocking);

[[nodiscard]] GuestSymbols graphSymbols();

}  // namespace haloscope::host::runtime
