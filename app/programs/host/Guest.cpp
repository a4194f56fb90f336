#include "host/Guest.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/ExecutionEngine/JITLink/EHFrameSupport.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectFileInterface.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Object/ObjectFile.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "host/Arguments.h"
#include "language/Text.h"

namespace haloscope::host {

namespace {

/// Of a file that is none of the program's own.
constexpr std::uint32_t kOtherFile = ~std::uint32_t{0};

using llvm::orc::ExecutorAddr;

/// Where the linker placed an object: its sections by name, and the functions to call before main().
struct Placed {
  std::map<std::string, std::uint64_t> sections;
  std::vector<ExecutorAddr> constructors;  ///< where their addresses are kept
  std::map<std::uintptr_t, std::size_t> variables;
};

/// Where a global variable is before its block is placed.
struct VariableInBlock {
  const llvm::jitlink::Block* block = nullptr;
  std::size_t offset = 0, size = 0;
};

/// Keeps the lists of constructors, which nothing refers to, and notes where the sections of the object being linked
/// are.
class PlacingPlugin : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  /// `placed`: by the objects' names.
  explicit PlacingPlugin(std::map<std::string, Placed>& placed) : placed_(placed) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& passes) override {
    // Code refers to a variable of its own file by its section: its name does not stay.
    auto variables = std::make_shared<std::vector<VariableInBlock>>();
    passes.PrePrunePasses.push_back([variables](llvm::jitlink::LinkGraph& graph) {
      for (const llvm::jitlink::Symbol* symbol : graph.defined_symbols()) {
        if (!symbol->isCallable() && symbol->getSize() > 0) {
          variables->push_back({&symbol->getBlock(), symbol->getOffset(), symbol->getSize()});
        }
      }
      for (llvm::jitlink::Section& section : graph.sections()) {
        if (!isConstructorList(section)) { continue; }
        std::vector<llvm::jitlink::Block*> blocks(section.blocks().begin(), section.blocks().end());
        for (llvm::jitlink::Block* block : blocks) {
          graph.addAnonymousSymbol(*block, 0, block->getSize(), false, true);
        }
      }
      return llvm::Error::success();
    });
    passes.PostFixupPasses.push_back([this, variables](llvm::jitlink::LinkGraph& graph) {
      note(graph);
      const std::set<const llvm::jitlink::Block*> kept(graph.blocks().begin(), graph.blocks().end());
      for (const auto& [block, offset, size] : *variables) {
        if (kept.contains(block)) {
          placed_[graph.getName()].variables[block->getAddress().getValue() + offset] = size;
        }
      }
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}

 private:
  static bool isConstructorList(const llvm::jitlink::Section& section) {
    return section.getName().starts_with(".init_array") || section.getName().starts_with(".ctors");
  }

  void note(llvm::jitlink::LinkGraph& graph) {
    // A priority is the end of a section's name, and comes first: .init_array.101, .init_array.
    Placed& placed = placed_[graph.getName()];
    std::vector<std::pair<std::string, ExecutorAddr>> found;
    for (llvm::jitlink::Section& section : graph.sections()) {
      const llvm::jitlink::SectionRange range(section);
      placed.sections[section.getName().str()] = range.getStart().getValue();
      if (!isConstructorList(section)) { continue; }
      std::string order = section.getName().str();
      if (order == ".init_array") { order += '~'; }
      for (ExecutorAddr at = range.getStart(); at < range.getEnd(); at += sizeof(void*)) {
        found.emplace_back(order, at);
      }
    }
    std::ranges::sort(found);
    for (const auto& [order, at] : found) { placed.constructors.push_back(at); }
  }

  std::map<std::string, Placed>& placed_;
};

/// Where sections were placed, for the reader of the line tables.
class Sections : public llvm::LoadedObjectInfo {
 public:
  explicit Sections(const std::map<std::string, std::uint64_t>& addresses) : addresses_(addresses) {}
  std::unique_ptr<LoadedObjectInfo> clone() const override { return std::make_unique<Sections>(addresses_); }
  std::uint64_t getSectionLoadAddress(const llvm::object::SectionRef& section) const override {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      return 0;
    }
    const auto found = addresses_.find(name->str());
    return found == addresses_.end() ? 0 : found->second;
  }

 private:
  const std::map<std::string, std::uint64_t>& addresses_;
};

/// Undefined functions and variables by name, or the linker's own words.
std::vector<HostDiagnostic> problemsOf(llvm::Error error) {
  std::vector<HostDiagnostic> problems;
  const auto add = [&](std::string message, std::string undefined = {}) {
    problems.push_back({.where = {}, .column = 0, .message = std::move(message), .undefined = std::move(undefined)});
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const llvm::orc::SymbolsNotFound& missing) {
        for (const auto& symbol : missing.getSymbols()) {
          std::string name = llvm::demangle((*symbol).str());
          add(trf("{} is used, and no file of the program defines it", name), std::move(name));
        }
      },
      [&](const llvm::orc::DuplicateDefinition& twice) {
        std::string name = llvm::demangle(twice.getSymbolName());
        constexpr std::string_view kStub = "__device_stub__";  // of a kernel
        if (const auto stub = name.find(kStub); stub != std::string::npos) { name.erase(stub, kStub.size()); }
        add(trf("more than one file of the program defines {}", name));
        problems.back().isClash = true;
      },
      [&](const llvm::ErrorInfoBase& other) { add(other.message()); });
  return problems;
}

std::string nameOf(std::size_t object) { return trf("object {}", object); }

}  // namespace

Guest::Guest(std::span<const std::span<const std::byte>> objects, const GuestSymbols& symbols) {
  auto control = llvm::orc::SelfExecutorProcessControl::Create();
  if (!control) {
    problems_ = problemsOf(control.takeError());
    return;
  }
  // The linked code stays until the process ends, as does what keeps it.
  auto& session = *new llvm::orc::ExecutionSession(std::move(*control));
  std::vector<HostDiagnostic> linkErrors;
  session.setErrorReporter([&](llvm::Error error) {
    for (HostDiagnostic& one : problemsOf(std::move(error))) { linkErrors.push_back(std::move(one)); }
  });
  auto& mapper = *new llvm::jitlink::InProcessMemoryManager(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  auto& layer = *new llvm::orc::ObjectLinkingLayer(session, mapper);
  std::map<std::string, Placed> placed;
  layer.addPlugin(std::make_unique<llvm::orc::EHFrameRegistrationPlugin>(
      session, std::make_unique<llvm::jitlink::InProcessEHFrameRegistrar>()));
  layer.addPlugin(std::make_unique<PlacingPlugin>(placed));

  llvm::orc::JITDylib& library = session.createBareJITDylib("program");
  llvm::orc::SymbolMap runtime;
  for (const auto& [name, address] : symbols) {
    runtime[session.intern(name)] = {ExecutorAddr::fromPtr(address),
                                     llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
  const auto fail = [&](llvm::Error error) {
    if (!error) { return false; }
    problems_ = problemsOf(std::move(error));
    return true;
  };
  if (fail(library.define(llvm::orc::absoluteSymbols(std::move(runtime))))) { return; }
  auto shared = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
  if (!shared) {
    problems_ = problemsOf(shared.takeError());
    return;
  }
  library.addGenerator(std::move(*shared));

  // Each object is linked by a look-up of what it defines, in the order of the files.
  llvm::orc::SymbolLookupSet wanted;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const llvm::StringRef bytes(reinterpret_cast<const char*>(objects[i].data()), objects[i].size());
    auto buffer = llvm::MemoryBuffer::getMemBuffer(bytes, nameOf(i), false);
    auto interface = llvm::orc::getObjectFileInterface(session, buffer->getMemBufferRef());
    if (!interface) {
      problems_ = problemsOf(interface.takeError());
      return;
    }
    // The constructors run in Guest::run(), not when a symbol of ORC's own is looked up.
    if (interface->InitSymbol) { interface->SymbolFlags.erase(interface->InitSymbol); }
    interface->InitSymbol = nullptr;
    for (const auto& [name, flags] : interface->SymbolFlags) { wanted.add(name); }
    if (fail(layer.add(library, std::move(buffer), std::move(*interface)))) { return; }
  }
  wanted.add(session.intern("main"));
  wanted.sortByAddress();
  wanted.removeDuplicates();
  auto linked = session.lookup({{&library, llvm::orc::JITDylibLookupFlags::MatchAllSymbols}}, wanted);
  if (!linked) {
    const auto isOnlyMain = [&](const llvm::orc::SymbolsNotFound& missing) {
      lacksMain_ = missing.getSymbols().size() == 1 && *missing.getSymbols().front() == "main";
    };
    llvm::Error error =
        llvm::handleErrors(linked.takeError(), [&](std::unique_ptr<llvm::orc::SymbolsNotFound> missing) {
          isOnlyMain(*missing);
          return llvm::Error(std::move(missing));
        });
    problems_ = problemsOf(std::move(error));
    if (!linkErrors.empty()) { problems_ = std::move(linkErrors); }
    return;
  }
  main_ = (*linked)[session.intern("main")].getAddress().toPtr<int (*)(int, char**, char**)>();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Placed& object = placed[nameOf(i)];
    std::vector<void (*)()>& constructors = constructors_.emplace_back();
    for (const ExecutorAddr at : object.constructors) {
      if (void (*const constructor)() = *at.toPtr<void (**)()>()) { constructors.push_back(constructor); }
    }
    variables_.insert(object.variables.begin(), object.variables.end());
    readLines(objects[i], object.sections);
  }
  std::ranges::sort(rows_, {}, &Row::begin);
}

int Guest::run(const std::vector<std::string>& arguments, const std::function<void(std::size_t object)>& begin) const {
  for (std::size_t object = 0; object < constructors_.size(); ++object) {
    begin(object);
    for (void (*const constructor)() : constructors_[object]) { constructor(); }
  }
  std::vector<std::string> texts = arguments;
  return main_(static_cast<int>(texts.size()), guardedArguments(texts), environ);
}

void Guest::readLines(std::span<const std::byte> object, const std::map<std::string, std::uint64_t>& sections) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  const Sections loaded(sections);
  const auto context = llvm::DWARFContext::create(
      **file, llvm::DWARFContext::ProcessDebugRelocations::Process, &loaded, "",
      [](llvm::Error error) { llvm::consumeError(std::move(error)); },
      [](llvm::Error warning) { llvm::consumeError(std::move(warning)); });
  for (const auto& unit : context->compile_units()) {
    const llvm::DWARFDebugLine::LineTable* table = context->getLineTableForUnit(unit.get());
    if (table == nullptr) { continue; }
    std::map<std::uint64_t, std::uint32_t> names;  // of the program's own files, by their number in the table
    const auto fileOf = [&](std::uint64_t number) {
      std::string path;
      table->getFileNameByIndex(number, "", llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, path);
      const llvm::StringRef view(path);
      if (!view.starts_with(kProgramFolder) && view.starts_with("/")) { return names[number] = kOtherFile; }
      files_.push_back(view.starts_with(kProgramFolder) ? path.substr(std::strlen(kProgramFolder)) : path);
      return names[number] = static_cast<std::uint32_t>(files_.size() - 1);
    };
    const auto isOwn = [&](std::uint64_t number) {
      const auto known = names.find(number);
      return (known == names.end() ? fileOf(number) : known->second) != kOtherFile;
    };
    // Code inlined from a library belongs to the line that calls it, where that is known, and else to the one before.
    const auto callOf = [&](std::uint64_t address) -> Row {
      llvm::SmallVector<llvm::DWARFDie, 8> chain;
      unit->getInlinedChainForAddress(address, chain);
      for (const llvm::DWARFDie& one : chain) {
        std::uint32_t number = 0, line = 0, column = 0, discriminator = 0;
        if (one.getTag() == llvm::dwarf::DW_TAG_inlined_subroutine) {
          one.getCallerFrame(number, line, column, discriminator);
        }
        if (line != 0 && isOwn(number)) { return {.file = names.at(number), .line = static_cast<int>(line)}; }
      }
      return {};
    };
    Row last;
    for (std::size_t i = 0; i + 1 < table->Rows.size(); ++i) {
      const llvm::DWARFDebugLine::Row& row = table->Rows[i];
      if (row.EndSequence) {
        last = {};
        continue;
      }
      if (!isOwn(row.File)) {
        if (const Row call = callOf(row.Address.Address); call.line != 0) { last = call; }
      } else if (row.Line != 0) {
        last = {.file = names.at(row.File), .line = static_cast<int>(row.Line)};
      }
      if (last.line == 0) { continue; }
      rows_.push_back({.begin = row.Address.Address,
                       .end = table->Rows[i + 1].Address.Address,
                       .file = last.file,
                       .line = last.line});
    }
  }
}

process::TextPlace Guest::placeOf(std::uintptr_t code) const {
  auto row = std::ranges::upper_bound(rows_, code, {}, &Row::begin);
  if (row == rows_.begin()) { return {}; }
  --row;
  if (code >= row->end) { return {}; }
  return {.file = files_[row->file].c_str(), .line = row->line};
}

std::span<const std::byte> Guest::variableAt(std::uintptr_t address) const {
  auto next = variables_.upper_bound(address);
  if (next == variables_.begin()) { return {}; }
  const auto& [begin, bytes] = *--next;
  if (address >= begin + bytes) { return {}; }
  return {reinterpret_cast<const std::byte*>(begin), bytes};
}

std::vector<std::span<const std::byte>> Guest::variables() const {
  std::vector<std::span<const std::byte>> all;
  for (const auto& [begin, bytes] : variables_) { all.emplace_back(reinterpret_cast<const std::byte*>(begin), bytes); }
  return all;
}

}  // namespace haloscope::host
