#pragma once

namespace haloscope::host {

/// CUDA graphs, behind the prelude of programs that name them: see RuntimeGraphs.h.
inline constexpr char kGraphPrelude[] = R"cuda(
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef enum { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed } cudaStreamCaptureMode;
typedef enum { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated } cudaStreamCaptureStatus;
typedef enum { cudaGraphExecUpdateSuccess, cudaGraphExecUpdateError } cudaGraphExecUpdateResult;
struct cudaGraphExecUpdateResultInfo { cudaGraphExecUpdateResult result; cudaGraphNode_t errorNode, errorFromNode; };
struct cudaKernelNodeParams { void *func; dim3 gridDim, blockDim; unsigned int sharedMemBytes; void **kernelParams, **extra; };
struct cudaMemsetParams { void *dst; size_t pitch; unsigned int value, elementSize; size_t width, height; };
struct cudaHostNodeParams { cudaHostFn_t fn; void *userData; };
struct haloscope_node { cudaGraph_t graph; cudaGraphExec_t executable; const cudaGraphNode_t *after; size_t count; cudaGraphNode_t node; };
extern "C" {
int haloscope_capturing(const void *stream);
int haloscope_capture_begin(const void *stream);
int haloscope_capture_end(const void *stream, cudaGraph_t *graph);
cudaGraph_t haloscope_graph_create(void);
void haloscope_graph_destroy(cudaGraph_t graph);
cudaGraphNode_t haloscope_graph_kernel(const haloscope_node *where, const cudaKernelNodeParams *launch, haloscope_place at);
cudaGraphNode_t haloscope_graph_copy(const haloscope_node *where, const haloscope_rows *rows, int kind, haloscope_place at);
cudaGraphNode_t haloscope_graph_fill(const haloscope_node *where, const cudaMemsetParams *fill, haloscope_place at);
cudaGraphNode_t haloscope_graph_call(const haloscope_node *where, void (*function)(void *, void *), void *data);
cudaGraphNode_t haloscope_graph_child(const haloscope_node *where, cudaGraph_t child);
int haloscope_graph_depend(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphNode_t after);
size_t haloscope_graph_count(cudaGraph_t graph);
int haloscope_graph_instantiate(cudaGraph_t graph, cudaGraphExec_t *executable);
int haloscope_graph_update(cudaGraphExec_t executable, cudaGraph_t graph);
int haloscope_graph_launch(cudaGraphExec_t executable, void *stream);
void haloscope_graph_end(cudaGraphExec_t executable);
}
HALOSCOPE_RUNTIME cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) { return (cudaError_t)haloscope_capture_begin(stream); }
HALOSCOPE_RUNTIME cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) { return (cudaError_t)haloscope_capture_end(stream, graph); }
HALOSCOPE_RUNTIME cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return *status = (cudaStreamCaptureStatus)haloscope_capturing(stream), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaGraphCreate(cudaGraph_t *graph, unsigned int = 0) { return *graph = haloscope_graph_create(), cudaSuccess; }
HALOSCOPE_RUNTIME cudaGraphDestroy(cudaGraph_t graph) {
  if (!graph) return haloscope_failed(cudaErrorInvalidValue);
  return haloscope_graph_destroy(graph), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (!executable) return haloscope_failed(cudaErrorInvalidValue);
  return haloscope_graph_end(executable), cudaSuccess;
}
// Of CUDA 12, and the one before.
HALOSCOPE_RUNTIME cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long = 0) { return (cudaError_t)haloscope_graph_instantiate(graph, executable); }
HALOSCOPE_RUNTIME cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long = 0) { return (cudaError_t)haloscope_graph_instantiate(graph, executable); }
HALOSCOPE_RUNTIME cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *wrong, char *, size_t) {
  if (wrong) *wrong = nullptr;
  return (cudaError_t)haloscope_graph_instantiate(graph, executable);
}
HALOSCOPE_RUNTIME cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) { return (cudaError_t)haloscope_graph_launch(executable, stream); }
HALOSCOPE_RUNTIME cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaGraphDebugDotPrint(cudaGraph_t, const char *, unsigned int) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  const cudaError_t error = (cudaError_t)haloscope_graph_update(executable, graph);
  if (info) *info = {error == cudaSuccess ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateError, nullptr, nullptr};
  return error;
}
HALOSCOPE_RUNTIME cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t *wrong, cudaGraphExecUpdateResult *result) {
  const cudaError_t error = (cudaError_t)haloscope_graph_update(executable, graph);
  return *wrong = nullptr, *result = error == cudaSuccess ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateError, error;
}
HALOSCOPE_RUNTIME cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  const size_t all = haloscope_graph_count(graph);
  for (size_t i = 0; nodes && i < *count && i < all; ++i) nodes[i] = (cudaGraphNode_t)(i + 1);
  return *count = all, cudaSuccess;
}
HALOSCOPE_RUNTIME haloscope_added(cudaGraphNode_t *node, cudaGraphNode_t added) {
  if (node) *node = added;
  return added ? cudaSuccess : haloscope_failed(cudaErrorInvalidValue);
}
#define HALOSCOPE_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count
#define HALOSCOPE_NODE_HERE const haloscope_node where{graph, nullptr, after, count, nullptr};
HALOSCOPE_RUNTIME cudaGraphAddKernelNode(HALOSCOPE_NODE, const cudaKernelNodeParams *launch, HALOSCOPE_AT) {
  HALOSCOPE_NODE_HERE
  return haloscope_added(node, haloscope_graph_kernel(&where, launch, at));
}
HALOSCOPE_RUNTIME cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaKernelNodeParams *launch, HALOSCOPE_AT) {
  const haloscope_node where{nullptr, executable, nullptr, 0, node};
  return haloscope_added(nullptr, haloscope_graph_kernel(&where, launch, at));
}
HALOSCOPE_RUNTIME cudaGraphAddMemcpyNode1D(HALOSCOPE_NODE, void *to, const void *from, size_t bytes, cudaMemcpyKind kind, HALOSCOPE_AT) {
  HALOSCOPE_NODE_HERE
  const haloscope_rows rows{to, bytes, from, bytes, bytes, 1};
  return haloscope_added(node, haloscope_graph_copy(&where, &rows, kind, at));
}
HALOSCOPE_RUNTIME cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void *to, const void *from, size_t bytes, cudaMemcpyKind kind, HALOSCOPE_AT) {
  const haloscope_node where{nullptr, executable, nullptr, 0, node};
  const haloscope_rows rows{to, bytes, from, bytes, bytes, 1};
  return haloscope_added(nullptr, haloscope_graph_copy(&where, &rows, kind, at));
}
HALOSCOPE_RUNTIME cudaGraphAddMemcpyNode(HALOSCOPE_NODE, const cudaMemcpy3DParms *p, HALOSCOPE_AT) {
  if (p->srcArray || p->dstArray || (p->extent.depth > 1 && (p->srcPtr.pitch * p->srcPtr.ysize != p->srcPtr.pitch * p->extent.height || p->dstPtr.ysize != p->extent.height)))
    haloscope_unsupported("cudaGraphAddMemcpyNode() of a part of a volume, or of an array", at);
  HALOSCOPE_NODE_HERE
  const haloscope_rows rows{(char *)p->dstPtr.ptr + p->dstPos.y * p->dstPtr.pitch + p->dstPos.x, p->dstPtr.pitch,
                            (char *)p->srcPtr.ptr + p->srcPos.y * p->srcPtr.pitch + p->srcPos.x, p->srcPtr.pitch,
                            p->extent.width, p->extent.height * p->extent.depth};
  return haloscope_added(node, haloscope_graph_copy(&where, &rows, p->kind, at));
}
HALOSCOPE_RUNTIME cudaGraphAddMemsetNode(HALOSCOPE_NODE, const cudaMemsetParams *fill, HALOSCOPE_AT) {
  HALOSCOPE_NODE_HERE
  return haloscope_added(node, haloscope_graph_fill(&where, fill, at));
}
HALOSCOPE_RUNTIME cudaGraphAddHostNode(HALOSCOPE_NODE, const cudaHostNodeParams *call, HALOSCOPE_AT) {
  struct kept { cudaHostNodeParams call; haloscope_place at; };
  HALOSCOPE_NODE_HERE
  return haloscope_added(node, haloscope_graph_call(&where, [](void *one, void *stream) {
    const kept *of = (const kept *)one;
    cudaLaunchHostFunc((cudaStream_t)stream, of->call.fn, of->call.userData, of->at);
  }, new kept{*call, at}));
}
HALOSCOPE_RUNTIME cudaGraphAddEmptyNode(HALOSCOPE_NODE) {
  HALOSCOPE_NODE_HERE
  return haloscope_added(node, haloscope_graph_call(&where, nullptr, nullptr));
}
HALOSCOPE_RUNTIME cudaGraphAddChildGraphNode(HALOSCOPE_NODE, cudaGraph_t child) {
  HALOSCOPE_NODE_HERE
  return haloscope_added(node, haloscope_graph_child(&where, child));
}
#undef HALOSCOPE_NODE
#undef HALOSCOPE_NODE_HERE
HALOSCOPE_RUNTIME cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i) if (haloscope_graph_depend(graph, from[i], to[i])) return cudaErrorInvalidValue;
  return cudaSuccess;
}
)cuda";

}  // namespace haloscope::host
