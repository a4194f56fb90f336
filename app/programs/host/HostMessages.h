#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "host/HostProgram.h"
#include "process/NamedFiles.h"

/// The messages between running::HostProcess and the child process that compiles and executes a program's host half:
/// each is one CBOR value, and may come with a payload of bytes (see program/Channel.h). The child executes a
/// stranger's code, so whatever it sends may be forged: decoding checks the form, and the receiver each value.
namespace haloscope::host {

/// The whole task of the child process. Payload: the objects, one after the other, if the program is compiled already.
struct HostStart {
  HostProgram program;
  std::vector<std::string> arguments;              ///< of main(), the program's name first
  std::map<std::string, std::int64_t> properties;  ///< of the GPU, by the name in cudaDeviceProp
  std::string deviceName;
  std::vector<std::uint64_t> objectBytes;  ///< sizes of the compiled objects; empty: compile
  bool watchesCalls = false;               ///< FunctionCall and Returned are sent
  bool repeatable = false;                 ///< it gets no other time and no other random numbers in another run
  bool gathersArrays = false;              ///< HostArrays is sent
  bool notesComparisons = false;           ///< ComparedArrays is sent
  std::vector<std::string> files{};        ///< names of files that it can open, see process::nameFiles()
};

/// The runtime's cudaMemcpyKind.
enum class CopyKind : std::uint8_t { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };
/// What an allocation is of.
enum class HostMemory : std::uint8_t { Device, Managed, PageLocked };

// What the child reports. `at` says where the program made the call.

/// The program does not compile or link.
struct Rejected {
  std::vector<HostDiagnostic> problems;
  bool lacksMain = false;  ///< and nothing else is wrong
};
/// The program is compiled. Payload: its objects, to be kept for another run.
struct Compiled {
  std::vector<std::uint64_t> objectBytes;
};
/// main() begins.
struct Began {};
struct Allocate {
  std::uint64_t bytes = 0;
  HostMemory memory = HostMemory::Device;
  std::uint64_t address = 0;  ///< of the host's own memory; 0: the reply gives a device address
  std::string symbol{};       ///< of a managed variable
  std::uint32_t file = 0;     ///< as of Variable
  bool asynchronous = false;  ///< cudaMallocAsync
  std::uint64_t stream = 0;   ///< of an asynchronous one
};
struct Free {
  std::uint64_t address = 0;
  bool host = false;          ///< cudaFreeHost
  bool asynchronous = false;  ///< cudaFreeAsync
  std::uint64_t stream = 0;   ///< of an asynchronous one
};
/// A stream that stands for all: what is done in it waits for everything, and the host for it.
inline constexpr std::uint64_t kEveryStream = ~std::uint64_t{0};
/// The reply's value is kWantsRows where rows of the host are to be copied to the device: CopiedRows follows.
struct Copy {
  std::uint64_t destination = 0, destinationPitch = 0, source = 0, sourcePitch = 0, width = 0, height = 0;
  CopyKind kind = CopyKind::Default;
  bool asynchronous = false;
  std::uint64_t stream = 0;
  bool ofLibrary = false;  ///< made by a library stand-in on behalf of the caller
};
inline constexpr std::uint64_t kWantsRows = 1;
/// Payload: the rows. Sent only when they fit into the device's memory: a size that does not may be larger than the
/// host's array, too.
struct CopiedRows {};
struct Fill {
  std::uint64_t address = 0, pitch = 0, width = 0, height = 0;
  std::uint8_t value = 0;
  bool asynchronous = false;
  std::uint64_t stream = 0;
};
/// Payload: the bytes, to a symbol.
struct SymbolCopy {
  std::string symbol;
  std::uint32_t file = 0;  ///< as of Variable
  std::uint64_t offset = 0, bytes = 0;
  bool toSymbol = true;
  bool asynchronous = false;
  std::uint64_t stream = 0;
};
struct SymbolAddress {
  std::string symbol;
  std::uint32_t file = 0;
};
/// A `__device__` or `__constant__` variable, in each file that declares it. Payload: what it is initialised with.
struct Variable {
  std::string symbol;
  std::uint32_t file = 0;  ///< index into HostProgram::files
  std::uint64_t bytes = 0;
  bool constant = false;
};
/// The reply lists the sizes of the kernel's arguments; LaunchArguments follows.
struct LaunchCall {
  std::string kernel;      ///< mangled
  std::uint32_t file = 0;  ///< index into HostProgram::files: the one that it was compiled in
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t dynamicSharedBytes = 0, stream = 0;
  bool cooperative = false;
  std::array<std::uint32_t, 3> cluster{};  ///< blocks of a cluster, if the launch says so
};
/// Payload: the arguments, one after the other; then all of the host's memory that kernels can use, in the order of its
/// allocation. The reply's payload is that memory after the launch, and its list has a KernelUse for each.
struct LaunchArguments {};
/// What a launch does with memory that the host can use, too.
enum class KernelUse : std::uint8_t { None, Reads, Writes };
/// Host code uses such memory before it has waited for the kernel or the copy that works on it: the bytes at these
/// addresses, at least. There is no reply.
struct EarlyAccess {
  std::uint64_t address = 0;  ///< the lowest
  std::uint64_t step = 1, count = 1;
  bool writes = false;
};
/// The program asked for a file that it does not get. There is no reply.
struct FileRefused {
  std::string name;
  process::FileRefusal how = process::FileRefusal::Reading;
};
/// A call that is not allowed while a stream is captured has ended the capture. There is no reply.
struct CaptureBroken {
  bool waits = false;  ///< for what is captured; otherwise it uses the default stream
};
/// The reply's list has a KernelUse for each block of such memory, of what has not been waited for; or it is empty.
struct Synchronize {
  enum class What : std::uint8_t { Device, Stream, Event, Reset };
  What what = What::Device;
  std::uint64_t object = 0;
};
struct Create {
  bool event = false;        ///< otherwise a stream
  bool nonBlocking = false;  ///< a stream that does not wait for the default stream, nor that one for it
};
struct Destroy {
  bool event = false;
  std::uint64_t object = 0;
};
struct RecordEvent {
  std::uint64_t event = 0, stream = 0;
  bool ofLibrary = false;  ///< as of Copy
};
/// What comes into the stream from now on waits for what the event was last recorded behind.
struct WaitEvent {
  std::uint64_t stream = 0, event = 0;
};
/// The GPU that the calls from now on are for. There is no reply.
struct UseDevice {
  std::uint32_t device = 0;
};
/// Kernels of that GPU may access the memory of this one. There is no reply.
struct EnablePeer {
  std::uint32_t device = 0;
};
/// The reply's value: nanoseconds.
struct ElapsedTime {
  std::uint64_t start = 0, end = 0;
};
struct LastError {
  bool clear = false;
};
struct SetKernelAttribute {
  std::string kernel;
  std::uint32_t file = 0;
  std::int32_t attribute = 0, value = 0;
};
struct KernelProperty {
  std::string kernel, name;
  std::uint32_t file = 0;
  std::int64_t threads = 0, dynamicSharedBytes = 0;
};
/// A function of the program has returned that takes arrays and writes one, without a call of the runtime. Payload: its
/// blocks of memory as they were when it began, then as they are now. There is no reply.
struct FunctionCall {
  std::string function;                      ///< see textOf(HostFunction)
  std::vector<std::uint64_t> arguments;      ///< by parameter: a number's bits, or the index of an array's block
  std::vector<std::uint64_t> offsets;        ///< by parameter: of an array's first byte in its block
  std::vector<std::uint64_t> before, after;  ///< sizes of the blocks
};
/// main() has returned, or exit() was called. The reply's list is empty, or asks for another call of a function: the
/// index of its FunctionCall, then its arguments, of which numbers count. Payload: the contents of its blocks.
struct Returned {
  std::int32_t status = 0;
  std::vector<std::uint64_t> unchanged{};  ///< by index, each FunctionCall whose results nothing has changed since
};
/// What came of such a call. Payload: the blocks. The reply is as for Returned.
struct CalledAgain {
  std::vector<std::uint64_t> blocks;  ///< their sizes
};
/// main() has returned, or exit() was called: what the program's own arrays hold, or held when they were freed, that
/// may be the reference of what it has copied from the device, see ArrayGathering.h. Payload: the arrays. There is no
/// reply.
struct GatheredArrays {
  std::vector<std::uint64_t> bytes;  ///< their sizes
};
/// Likewise what has come from the device, with the values in it that the program compares its elements with, see
/// ComparedValues.h. Payload: the arrays. There is no reply.
struct ComparedArrays {
  std::vector<std::uint64_t> bytes;  ///< their sizes
};
/// A function that Haloscope does not have; the program ends.
struct Unsupported {
  std::string function;
};
/// The program ended: main() returned, or it called exit().
struct Ended {
  std::int32_t status = 0;
};
/// An exception that nothing caught.
struct Uncaught {
  std::string type, message;
  std::uint32_t missedArgument = 0;  ///< see Crashed
};
/// A signal ended the program.
struct Crashed {
  std::int32_t signal = 0;
  std::uint64_t address = 0;
  bool deviceAddress = false;  ///< the address is one of device memory, or none that a host can have
  bool stackOverflow = false;
  bool inCall = false;               ///< of the runtime
  std::string freedBy{};             ///< "free()", which was given memory of the runtime; empty: something else
  std::uint32_t missedArgument = 0;  ///< index of an element of argv that the program read, beyond those it was given
};
/// The child process could not do its work.
struct Failed {
  std::string message;
};

using HostMessage =
    std::variant<Rejected, Compiled, Began, Allocate, Free, Copy, CopiedRows, Fill, SymbolCopy, SymbolAddress, Variable,
                 LaunchCall, LaunchArguments, EarlyAccess, FileRefused, CaptureBroken, Synchronize, Create, Destroy,
                 RecordEvent, WaitEvent, UseDevice, EnablePeer, ElapsedTime, LastError, SetKernelAttribute,
                 KernelProperty, FunctionCall, Returned, CalledAgain, GatheredArrays, ComparedArrays, Unsupported,
                 Ended, Uncaught, Crashed, Failed>;

struct HostCall {
  HostMessage message;
  HostPlace at{};
};

/// The answer to a call.
struct HostReply {
  std::int32_t error = 0;  ///< a cudaError_t
  std::uint64_t value = 0;
  std::vector<std::uint64_t> list{};
  bool sticky = false;  ///< from now on every call returns this error
  /// To LaunchArguments, where arrays are gathered: from 1, the array of the host, of those as long as the rest of the
  /// payload in the order of their allocation, that gets it; 0: none.
  std::uint64_t given = 0;
};

[[nodiscard]] std::vector<std::byte> encode(const HostStart& start);
[[nodiscard]] std::vector<std::byte> encode(const HostCall& call);
[[nodiscard]] std::vector<std::byte> encode(const HostReply& reply);
/// Throw InputError if the bytes are not such a message.
[[nodiscard]] HostStart decodeStart(std::span<const std::byte> bytes);
[[nodiscard]] HostCall decodeCall(std::span<const std::byte> bytes);
[[nodiscard]] HostReply decodeReply(std::span<const std::byte> bytes);

}  // namespace haloscope::host
