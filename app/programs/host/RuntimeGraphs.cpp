#include "host/RuntimeGraphs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace haloscope::host::runtime {

namespace graphs {

/// A call that is kept. `lane` is its stream: 0 is the one in which the graph is launched.
struct Node {
  std::size_t lane = 0;
  StreamWork work;
  std::vector<std::size_t> after;  ///< other nodes, of a built graph
};
struct Graph {
  std::vector<Node> nodes;
  std::size_t lanes = 1;
};

/// A graph that can be launched.
struct Executable {
  Graph graph;
  std::vector<std::uint64_t> lanes;  ///< streams of lanes from 1 on
};

namespace {

constexpr int kInvalidValue = 1, kCaptureUnsupported = 900, kCaptureInvalidated = 901, kCaptureUnmatched = 903,
              kCaptureUnjoined = 904, kCaptureImplicit = 906;

/// While a stream is captured.
struct Capture {
  Graph graph;
  const void* origin = nullptr;
  std::map<const void*, std::size_t> lanes;  ///< by stream
  std::set<std::size_t> unjoined;            ///< lanes with calls that lane 0 has not waited for
  bool broken = false;
};
struct KeptEvent {
  std::shared_ptr<Capture> capture;
  std::size_t lane = 0;
  std::uint64_t event = 0;            ///< of its own: the program's is not recorded
  std::set<std::size_t> waitedFor{};  ///< the lanes that had been joined into this one
};
struct All {
  std::map<const void*, std::shared_ptr<Capture>> captures;  ///< by stream
  std::map<const void*, KeptEvent> events;
  std::set<const void*> nonBlocking;
};
All& all() {
  static All one;
  return one;
}

/// The error of the call that has ended a capture.
int broken(Capture& capture, CaptureBroken by) {
  if (!capture.broken) { state().channel->send(encode(HostCall{by, hostPlace(state().call)})); }
  capture.broken = true;
  return failed(by.waits ? kCaptureUnsupported : kCaptureImplicit);
}

std::uint64_t created(bool event) {
  Call call({nullptr, 0});
  call.ask(Create{.event = event, .nonBlocking = !event});
  return call.reply().value;
}

std::shared_ptr<Capture> captureOf(const void* stream) {
  const auto known = all().captures.find(stream);
  return known == all().captures.end() ? nullptr : known->second;
}

void end(const std::shared_ptr<Capture>& capture) {
  std::erase_if(all().captures, [&](const auto& one) { return one.second == capture; });
  std::erase_if(all().events, [&](const auto& one) { return one.second.capture == capture; });
}

int begin(const void* stream) {
  const std::lock_guard lock(turns());
  constexpr std::uintptr_t kLastOfDefault = 1;
  if (addressOf(stream) <= kLastOfDefault) { return failed(kCaptureUnsupported); }
  if (captureOf(stream)) { return failed(kCaptureInvalidated); }
  auto capture = std::make_shared<Capture>();
  capture->origin = stream;
  capture->lanes[stream] = 0;
  all().captures[stream] = capture;
  return kSuccess;
}

int finish(const void* stream, Graph** graph) {
  const std::lock_guard lock(turns());
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = captureOf(stream);
  if (!capture || capture->origin != stream) { return failed(kCaptureUnmatched); }
  end(capture);
  if (capture->broken) { return failed(kCaptureInvalidated); }
  if (!capture->unjoined.empty()) { return failed(kCaptureUnjoined); }
  *graph = new Graph(std::move(capture->graph));
  return kSuccess;
}

/// As cudaStreamCaptureStatus.
int status(const void* stream) {
  const std::lock_guard lock(turns());
  const std::shared_ptr<Capture> capture = captureOf(stream);
  return !capture ? 0 : capture->broken ? 2 : 1;
}

Graph* make() { return new Graph(); }
void destroyGraph(Graph* graph) { delete graph; }
void destroyExecutable(Executable* executable) { delete executable; }

std::size_t add(Graph* graph, StreamWork work, const std::size_t* after, std::size_t count) {
  Node node{.lane = 0, .work = std::move(work), .after = {}};
  for (std::size_t i = 0; i < count; ++i) {
    if (after[i] == 0 || after[i] > graph->nodes.size()) { return 0; }
    node.after.push_back(after[i] - 1);
  }
  graph->nodes.push_back(std::move(node));
  return graph->nodes.size();
}

}  // namespace

std::size_t put(const Place* at, StreamWork work) {
  if (at->executable == nullptr) { return add(at->graph, std::move(work), at->after, at->count); }
  std::vector<Node>& nodes = at->executable->graph.nodes;
  if (at->node == 0 || at->node > nodes.size()) { return 0; }
  nodes[at->node - 1].work = std::move(work);
  return at->node;
}

namespace {

std::size_t addCall(const Place* at, void (*function)(void* data, void* stream), void* data) {
  return put(at, [=](void* stream) {
    if (function != nullptr) { function(data, stream); }
    return kSuccess;
  });
}

int depend(Graph* graph, std::size_t before, std::size_t after) {
  if (std::min(before, after) == 0 || std::max(before, after) > graph->nodes.size()) { return failed(kInvalidValue); }
  graph->nodes[after - 1].after.push_back(before - 1);
  return kSuccess;
}

std::size_t count(const Graph* graph) { return graph->nodes.size(); }

/// The order in which nodes are done: that of the program, as far as what they depend on allows. None: a circle.
std::optional<std::vector<std::size_t>> orderOf(const Graph& graph) {
  std::vector<std::size_t> order;
  std::vector<bool> done(graph.nodes.size());
  while (order.size() < graph.nodes.size()) {
    const std::size_t before = order.size();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto isDone = [&](std::size_t other) { return done[other]; };
      if (done[i] || !std::ranges::all_of(graph.nodes[i].after, isDone)) { continue; }
      done[i] = true;
      order.push_back(i);
    }
    if (order.size() == before) { return std::nullopt; }
  }
  return order;
}

int instantiate(const Graph* graph, Executable** executable) {
  const std::lock_guard lock(turns());
  if (graph == nullptr || !orderOf(*graph)) { return failed(kInvalidValue); }
  *executable = new Executable{*graph, {}};
  for (std::size_t i = 1; i < graph->lanes; ++i) { (*executable)->lanes.push_back(created(false)); }
  return kSuccess;
}

int update(Executable* executable, const Graph* graph) {
  const std::lock_guard lock(turns());
  if (graph->nodes.size() != executable->graph.nodes.size()) { return failed(kInvalidValue); }
  executable->graph = *graph;
  while (executable->lanes.size() + 1 < graph->lanes) { executable->lanes.push_back(created(false)); }
  return kSuccess;
}

int launchAll(const Graph& graph, const std::vector<std::uint64_t>& lanes, void* stream) {
  const std::optional<std::vector<std::size_t>> order = orderOf(graph);
  if (!order) { return failed(kInvalidValue); }
  int first = kSuccess;
  for (const std::size_t i : *order) {
    const Node& node = graph.nodes[i];
    void* const where = node.lane == 0 ? stream : reinterpret_cast<void*>(lanes[node.lane - 1]);
    const int error = node.work(where);
    if (first == kSuccess) { first = error; }
  }
  return first;
}

int launch(const Executable* executable, void* stream) {
  const std::lock_guard lock(turns());
  if (executable == nullptr) { return failed(kInvalidValue); }
  const auto work = [graph = executable->graph, lanes = executable->lanes](void* where) {
    return launchAll(graph, lanes, where);
  };
  if (isCaptured(stream)) {
    keepFor(stream, work);
    return kSuccess;
  }
  return work(stream);
}

std::size_t addGraph(const Place* at, const Graph* child) {
  // Its lanes become those of a graph that is done by itself.
  std::vector<std::uint64_t> lanes;
  for (std::size_t i = 1; i < child->lanes; ++i) { lanes.push_back(created(false)); }
  return put(at, [graph = *child, lanes](void* stream) { return launchAll(graph, lanes, stream); });
}

}  // namespace
}  // namespace graphs

bool isCaptured(const void* stream) { return graphs::captureOf(stream) != nullptr; }

void keepFor(const void* stream, StreamWork work) {
  const auto capture = graphs::captureOf(stream);
  const std::size_t lane = capture->lanes.at(stream);
  capture->graph.nodes.push_back({.lane = lane, .work = std::move(work), .after = {}});
  if (lane != 0) { capture->unjoined.insert(lane); }
}

int errorOfWaiting(const void* stream) {
  const auto capture = graphs::captureOf(stream);
  if (!capture) { return kSuccess; }
  return graphs::broken(*capture, {.waits = true});
}

int errorOfWaitingForDevice() {
  int error = kSuccess;
  for (const auto& [stream, capture] : graphs::all().captures) { error = graphs::broken(*capture, {.waits = true}); }
  return error;
}

int errorOfDefault(const void* stream) {
  constexpr std::uintptr_t kLegacy = 1;
  if (addressOf(stream) > kLegacy) { return kSuccess; }
  for (const auto& [captured, capture] : graphs::all().captures) {
    if (graphs::all().nonBlocking.contains(captured)) { continue; }
    return graphs::broken(*capture, {.waits = false});
  }
  return kSuccess;
}

bool keepRecord(const void* event, const void* stream) {
  const auto capture = graphs::captureOf(stream);
  if (!capture) {
    graphs::all().events.erase(event);
    return false;
  }
  const std::size_t lane = capture->lanes.at(stream);
  const std::uint64_t own = graphs::created(true);
  keepFor(stream, [own](void* where) {
    Call call({nullptr, 0});
    return call.ask(RecordEvent{.event = own, .stream = addressOf(where)});
  });
  graphs::KeptEvent kept{.capture = capture, .lane = lane, .event = own};
  kept.waitedFor.insert(lane);
  graphs::all().events[event] = std::move(kept);
  return true;
}

bool keepWait(const void* stream, const void* event) {
  const auto known = graphs::all().events.find(event);
  if (known == graphs::all().events.end()) { return false; }
  const graphs::KeptEvent kept = known->second;
  graphs::Capture& capture = *kept.capture;
  const auto [lane, isNew] = capture.lanes.try_emplace(stream, capture.graph.lanes);
  if (isNew) {
    ++capture.graph.lanes;
    graphs::all().captures[stream] = kept.capture;
  }
  keepFor(stream, [own = kept.event](void* where) {
    Call call({nullptr, 0});
    return call.ask(WaitEvent{.stream = addressOf(where), .event = own});
  });
  // What joined it joins with it: the order of the graph has them before.
  for (const std::size_t one : kept.waitedFor) {
    if (lane->second != one) { capture.unjoined.erase(one); }
  }
  return true;
}

void noteStream(const void* stream, bool nonBlocking) {
  if (nonBlocking) { graphs::all().nonBlocking.insert(stream); }
}

GuestSymbols graphSymbols() {
  using namespace graphs;
  return {
      {"haloscope_capturing", of(status)},
      {"haloscope_capture_begin", of(graphs::begin)},
      {"haloscope_capture_end", of(finish)},
      {"haloscope_graph_create", of(make)},
      {"haloscope_graph_destroy", of(destroyGraph)},
      {"haloscope_graph_call", of(addCall)},
      {"haloscope_graph_child", of(addGraph)},
      {"haloscope_graph_depend", of(depend)},
      {"haloscope_graph_count", of(graphs::count)},
      {"haloscope_graph_instantiate", of(instantiate)},
      {"haloscope_graph_update", of(update)},
      {"haloscope_graph_launch", of(graphs::launch)},
      {"haloscope_graph_end", of(destroyExecutable)},
  };
}

}  // namespace haloscope::host::runtime
