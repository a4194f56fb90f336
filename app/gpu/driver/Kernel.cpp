#include "driver/Kernel.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/Compiler.h"
#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

Arguments::Arguments(const Program& program) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (const std::int64_t bytes : program.argumentBytes) {
    arguments_.push_back(words_.size());
    words_.resize(words_.size() + (static_cast<std::size_t>(bytes) + kWord - 1) / kWord);
  }
  for (const Parameter& parameter : program.parameters) {
    const std::size_t first = arguments_.at(parameter.argument) * kWord;
    parameters_.push_back({first + static_cast<std::size_t>(parameter.argumentOffset),
                           static_cast<std::size_t>(sizeInMemory(parameter.type))});
  }
}

void Arguments::set(std::size_t parameter, std::uint64_t bits) {
  // On a little-endian machine the value is in the low bytes.
  const auto bytes = std::as_bytes(std::span(&bits, 1));
  copy(parameters_.at(parameter).byte, bytes.first(parameters_.at(parameter).bytes));
}

void Arguments::set(const MemoryObject& array, std::span<const std::byte> bytes) {
  copy(arguments_.at(array.argument) * sizeof(std::uint64_t) + static_cast<std::size_t>(array.argumentOffset), bytes);
}

void Arguments::copy(std::size_t byte, std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(words_)).subspan(byte, bytes.size()).begin());
}

std::vector<void*> Arguments::pointers() const {
  std::vector<void*> all;
  // The driver's interface lacks const, but only reads.
  for (const std::size_t word : arguments_) { all.push_back(const_cast<std::uint64_t*>(words_.data() + word)); }
  return all;
}

namespace {

constexpr int kClusterCapability = 90;  ///< of the first GPUs that have clusters

/// Whether the launch sets the variable. Initialised tables have their values, and a struct passed by value is an
/// argument.
std::vector<std::string> variableNames(const Program& program) {
  std::vector<std::string> names;
  for (const MemoryObject& object : program.objects) {
    const bool constant = object.space == MemorySpace::Constant && object.initial.empty();
    const bool variable = object.space == MemorySpace::Global && !object.extentsAtLaunch;
    if ((constant || variable) && object.argument == kNone) { names.push_back(object.name); }
  }
  return names;
}

/// The program, if the GPU can run it as the emulator does.
const Program& runnable(const Program& program) {
  for (const Instruction& instruction : program.code) {
    if (instruction.fetch == FetchPart::Begin) {
      throw SourceError("", instruction.range, tr("textures and surfaces are not given to a GPU here"));
    }
  }
  return program;
}

std::vector<std::string> together(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

}  // namespace

Kernel::Kernel(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
               const Program& program, const std::vector<std::string>& more)
    : Kernel(clearance, std::move(device), text, text.kernel.empty() ? program.kernel : text.kernel,
             together(variableNames(runnable(program)), more), usesClusters(program) ? kClusterCapability : 0) {}

Kernel::Kernel(const Clearance& /*clearance*/, std::shared_ptr<const Device> device, const KernelText& text,
               const std::string& kernel, const std::vector<std::string>& variables, int leastCapability)
    : device_(std::move(device)) {
  const Driver& driver = device_->driver();
  std::vector<std::string> names{kernel};
  const auto expression = [&](const std::string& variable) {
    const auto known = text.variables.find(variable);
    return "&" + (known == text.variables.end() ? variable : known->second);
  };
  for (const std::string& variable : variables) { names.push_back(expression(variable)); }
  const DeviceProperties& properties = device_->properties();
  const int capability = properties.major * 10 + properties.minor;
  const int least = std::max(text.leastCapability, leastCapability);
  if (capability < least) {
    throw InputError(trf("{} needs a GPU of compute capability {}.{}; {} has {}", text.file, least / 10, least % 10,
                         properties.name, properties.computeCapability()));
  }
  const CompiledText compiled = device_->compiler().compile(text, names, capability);

  device_->makeCurrent();
  driver.check(driver.moduleLoadData(&module_, compiled.image.data()),
               trf("cuModuleLoadData of {} (compiled by NVRTC {}, driver for CUDA {})", text.file,
                   device_->compiler().versionText(), properties.driverVersionText()));
  try {
    const auto symbol = [&](const std::string& name) {
      const auto found = compiled.symbols.find(name);
      return found == compiled.symbols.end() ? name : found->second;
    };
    driver.check(driver.moduleGetFunction(&function_, module_, symbol(kernel).c_str()),
                 trf("cuModuleGetFunction of {}", kernel));
    for (const std::string& name : variables) {
      Driver::Address address = 0;
      Variable variable;
      driver.check(driver.moduleGetGlobal(&address, &variable.bytes, module_, symbol(expression(name)).c_str()),
                   trf("cuModuleGetGlobal of {}", name));
      variable.address = address;
      variables_[name] = variable;
    }
    const auto attribute = [&](Driver::FunctionAttribute which) {
      int value = 0;
      driver.check(driver.funcGetAttribute(&value, which, function_), "cuFuncGetAttribute");
      return value;
    };
    resources_.registersPerThread = attribute(Driver::kRegisters);
    resources_.sharedBytes = attribute(Driver::kSharedBytes);
    resources_.localBytes = attribute(Driver::kLocalBytes);
    if (const auto found = compiled.resources.find(symbol(kernel)); found != compiled.resources.end()) {
      resources_.spillBytes = found->second.spillBytes;
    }
    resources_.constantBytes = attribute(Driver::kConstantBytes);
    resources_.maxThreadsPerBlock = attribute(Driver::kMaxThreadsPerBlock);
  } catch (...) {  // the destructor does not run for a constructor that throws
    (void)driver.moduleUnload(module_);
    throw;
  }
}

Kernel::~Kernel() {
  if (device_->tryMakeCurrent()) { (void)device_->driver().moduleUnload(module_); }
}

int Kernel::residentBlocks(const LaunchConfiguration& configuration) const {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  int blocks = 0;
  driver.check(driver.occupancyMaxActiveBlocksPerMultiprocessor(
                   &blocks, function_, static_cast<int>(configuration.threadsPerBlock()),
                   static_cast<std::size_t>(configuration.dynamicSharedBytes)),
               "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

const Kernel::Variable& Kernel::variable(const std::string& name, std::size_t bytes) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) { throw InputError(trf("the kernel has no variable \"{}\"", name)); }
  if (found->second.bytes != bytes) {
    throw InputError(trf("the variable \"{}\" has {} bytes on the GPU, not {}", name, found->second.bytes, bytes));
  }
  return found->second;
}

void Kernel::readVariable(const std::string& name, std::span<std::byte> bytes) const {
  const DeviceAddress address = variable(name, bytes.size()).address;
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.memcpyDtoH(bytes.data(), address, bytes.size()), trf("cuMemcpyDtoH of the variable {}", name));
}

void Kernel::setVariable(const std::string& name, std::span<const std::byte> bytes) {
  const DeviceAddress address = variable(name, bytes.size()).address;
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.memcpyHtoD(address, bytes.data(), bytes.size()), trf("cuMemcpyHtoD to the variable {}", name));
  // A copy from pageable memory may still be in progress, and these streams do not synchronise with it.
  driver.check(driver.streamSynchronize(nullptr), "cuStreamSynchronize");
}

void Kernel::launch(const LaunchConfiguration& configuration, std::span<const std::uint64_t> arguments,
                    const Stream& stream) const {
  // The driver takes a pointer to each value and reads as many bytes as the parameter has: on a little-endian machine,
  // the low ones.
  std::vector<std::uint64_t> values(arguments.begin(), arguments.end());
  std::vector<void*> pointers;
  pointers.reserve(values.size());
  for (std::uint64_t& value : values) { pointers.push_back(&value); }
  queue(configuration, std::move(pointers), stream);
}

void Kernel::launch(const LaunchConfiguration& configuration, const Arguments& arguments, const Stream& stream) const {
  queue(configuration, arguments.pointers(), stream);
}

void Kernel::queue(const LaunchConfiguration& configuration, std::vector<void*> arguments, const Stream& stream) const {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  if (resources_.sharedBytes + configuration.dynamicSharedBytes > kMaxSharedBytesPerBlock) {
    driver.check(driver.funcSetAttribute(function_, Driver::kMostDynamicSharedBytes,
                                         static_cast<int>(configuration.dynamicSharedBytes)),
                 trf("cuFuncSetAttribute for {} bytes of dynamic shared memory", configuration.dynamicSharedBytes));
  }
  const Dim3& cluster = configuration.cluster;
  if (cluster.count() > 1) {
    if (driver.launchKernelEx == nullptr) {
      throw InputError(tr("a launch with clusters needs a driver for CUDA 11.8 or later"));
    }
    Driver::LaunchAttribute attribute{
        .id = Driver::kClusterDimension, .padding = 0, .value = {cluster.x, cluster.y, cluster.z}};
    const Driver::LaunchConfig launch{grid.x,
                                      grid.y,
                                      grid.z,
                                      block.x,
                                      block.y,
                                      block.z,
                                      static_cast<unsigned>(configuration.dynamicSharedBytes),
                                      stream.handle(),
                                      &attribute,
                                      1};
    driver.check(driver.launchKernelEx(&launch, function_, arguments.data(), nullptr),
                 trf("cuLaunchKernelEx of ({}, {}, {}) blocks in clusters of ({}, {}, {})", grid.x, grid.y, grid.z,
                     cluster.x, cluster.y, cluster.z));
    return;
  }
  driver.check(driver.launchKernel(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                   static_cast<unsigned>(configuration.dynamicSharedBytes), stream.handle(),
                                   arguments.data(), nullptr),
               trf("cuLaunchKernel of ({}, {}, {}) blocks of ({}, {}, {}) threads", grid.x, grid.y, grid.z, block.x,
                   block.y, block.z));
}

}  // namespace haloscope::gpu
