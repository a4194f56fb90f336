#include "lowering/DeviceTextReader.h"

#include <algorithm>
#include <filesystem>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/AssertHeader.h"
#include "preludes/GpuPrelude.h"
#include "preludes/ToolkitHeaders.h"

namespace haloscope::lowering {

namespace {

std::string folderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

DeviceTextReader::DeviceTextReader(const ClangSession& session, const std::string& text, const CompileOptions& options)
    : session_(session), options_(options) {
  std::size_t macros = 0;  // their lines come before the prologue
  for (const auto& [name, value] : options.defines) {
    macros += std::string("#define  \n").size() + (name + value).size();
  }
  files_.emplace(ClangSession::kTextPath, File{frontend::SourceTokens(text), 0, {}, {}});
  files_.emplace(ClangSession::kProloguePath, File{frontend::SourceTokens(options.prologue), macros, {}, {}});
  for (const auto& [name, content] : options.headers) {
    const std::string path = (std::filesystem::path("/") / name).lexically_normal().string();
    files_.emplace(path, File{frontend::SourceTokens(content), 0, {}, {}});
  }
}

DeviceText DeviceTextReader::read(const clang::FunctionDecl& kernel, const std::string& library) {
  ownLibrary_ = !library.empty();
  visitAll(*session_.context().getTranslationUnitDecl());
  removeErrors();
  DeviceText result;
  result.text = deviceCodeOf(files_.at(ClangSession::kTextPath), "", result);
  result.prologue = preludes::kPreludeOfGpu + frontend::assertBefore(options_) + library +
                    deviceCodeOf(files_.at(ClangSession::kProloguePath), "", result);
  result.kernel = nameOf(kernel);
  if (const clang::TemplateArgumentList* arguments = kernel.getTemplateSpecializationArgs()) {
    llvm::raw_string_ostream stream(result.kernel);
    clang::printTemplateArgumentList(stream, arguments->asArray(), session_.context().getPrintingPolicy());
  }
  result.variables = variables_;
  return result;
}

std::string DeviceTextReader::nameOf(const clang::NamedDecl& declaration) const {
  clang::PrintingPolicy policy = session_.context().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;  // "(anonymous namespace)" is not valid C++
  std::string name;
  llvm::raw_string_ostream stream(name);
  declaration.printQualifiedName(stream, policy);
  return name;
}

DeviceTextReader::File* DeviceTextReader::fileOf(const clang::SourceLocation& where, std::size_t& offset) {
  if (where.isInvalid()) return nullptr;
  const ClangSession::Place place = session_.placeOf(where);
  const auto found = files_.find(place.path);
  if (found == files_.end() || place.offset < found->second.begin) return nullptr;
  offset = place.offset - found->second.begin;
  return offset < found->second.tokens.text().size() ? &found->second : nullptr;
}

bool DeviceTextReader::belongsToDevice(const clang::Decl& declaration) const {
  const clang::Decl* decl = &declaration;
  if (const auto* pattern = llvm::dyn_cast<clang::TemplateDecl>(decl)) {
    if (pattern->getTemplatedDecl() != nullptr) decl = pattern->getTemplatedDecl();
  }
  if (decl->hasAttr<clang::CUDAGlobalAttr>() || decl->hasAttr<clang::CUDADeviceAttr>() ||
      decl->hasAttr<clang::CUDAConstantAttr>() || decl->hasAttr<clang::CUDASharedAttr>()) {
    return true;
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
    return function->isConstexpr() || function->isDefaulted() || function->isDeleted();
  }
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    const clang::Expr* initializer = variable->getAnyInitializer();
    return variable->isConstexpr() ||
           (variable->getType().isConstQualified() && initializer != nullptr && !initializer->isValueDependent() &&
            !initializer->containsErrors() && variable->evaluateValue() != nullptr);
  }
  return true;
}

void DeviceTextReader::visitAll(const clang::DeclContext& scope) {
  for (const clang::Decl* declaration : scope.decls()) {
    if (!declaration->isImplicit()) visit(*declaration);
  }
}

void DeviceTextReader::visit(const clang::Decl& declaration) {
  std::size_t offset = 0;
  File* const file = fileOf(declaration.getBeginLoc(), offset);
  if (llvm::isa<clang::NamespaceDecl>(declaration)) {
    visitAll(*llvm::cast<clang::DeclContext>(&declaration));
    return;
  }
  if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&declaration)) {
    visitAll(*llvm::cast<clang::DeclContext>(linkage));
    return;
  }
  if (file == nullptr) return;
  const bool macro = declaration.getBeginLoc().isMacroID() && declaration.getEndLoc().isMacroID();
  const bool function = llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(declaration);
  const frontend::TextRange where =
      macro ? file->tokens.invocation(offset) : file->tokens.declaration(offset, function);
  if (belongsToDevice(declaration)) {
    file->kept.push_back(where);
  } else {
    file->removed.push_back(where);
    removeInstances(declaration);
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
  const bool named = variable != nullptr &&
                     (variable->hasAttr<clang::CUDAConstantAttr>() || variable->hasAttr<clang::CUDADeviceAttr>());
  if (named) variables_.emplace(variable->getNameAsString(), nameOf(*variable));
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration)) visitAll(*record);
  if (const auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration))
    visitAll(*pattern->getTemplatedDecl());
}

/// `template void sweeps<3>(float*);` of a function that is removed.
void DeviceTextReader::removeInstances(const clang::Decl& declaration) {
  const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration);
  if (pattern == nullptr) return;
  for (const clang::FunctionDecl* instance : pattern->specializations()) {
    const clang::TemplateSpecializationKind kind = instance->getTemplateSpecializationKind();
    if (kind != clang::TSK_ExplicitInstantiationDefinition && kind != clang::TSK_ExplicitInstantiationDeclaration) {
      continue;
    }
    std::size_t offset = 0;
    File* const file = fileOf(instance->getPointOfInstantiation(), offset);
    if (file != nullptr) file->removed.push_back(file->tokens.declaration(offset, false));
  }
}

/// Errors outside of the kernel are tolerated: names of host libraries, other kernels.
void DeviceTextReader::removeErrors() {
  for (const clang::SourceLocation& where : session_.errorPlaces()) {
    std::size_t offset = 0;
    File* const file = fileOf(where, offset);
    if (file == nullptr) continue;
    const auto holds = [&](const frontend::TextRange& one) { return one.contains(offset); };
    if (std::ranges::any_of(file->removed, holds)) continue;
    const frontend::TextRange* innermost = nullptr;
    for (const frontend::TextRange& one : file->kept) {
      if (holds(one) && (innermost == nullptr || one.end - one.begin < innermost->end - innermost->begin)) {
        innermost = &one;
      }
    }
    const frontend::TextRange removed = innermost != nullptr ? *innermost : file->tokens.declaration(offset, false);
    std::erase_if(file->kept, [&](const frontend::TextRange& one) { return removed.contains(one.begin); });
    file->removed.push_back(removed);
  }
}

std::string DeviceTextReader::deviceCodeOf(const File& file, const std::string& folder, DeviceText& result) const {
  const std::string& text = file.tokens.text();
  std::string device = text;
  const auto blank = [&](const frontend::TextRange& where) {
    for (std::size_t i = where.begin; i < where.end; ++i) {
      if (device[i] != '\n') device[i] = ' ';
    }
  };
  for (const frontend::TextRange& removed : file.removed) {
    // `const int n = 3, *p = f();` is one declaration: if the device needs a part of it, all of it stays.
    const bool shared =
        std::ranges::any_of(file.kept, [&](const frontend::TextRange& one) { return one.begin == removed.begin; });
    if (!shared) blank(removed);
  }
  for (const frontend::SourceTokens::Directive& one : file.tokens.directives()) {
    // A macro may be defined between the lines of main().
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(one.where.begin),
              text.begin() + static_cast<std::ptrdiff_t>(one.where.end),
              device.begin() + static_cast<std::ptrdiff_t>(one.where.begin));
    if (one.word == "define" && options_.defines.contains(one.name)) blank(one.where);
    if (one.word != "include") continue;
    const std::string sibling = (std::filesystem::path("/") / folder / one.name).lexically_normal().string();
    const std::string above = (std::filesystem::path("/") / one.name).lexically_normal().string();
    const std::string path = files_.contains(sibling) ? sibling : above;
    const auto header = files_.find(path);
    if (header == files_.end() && frontend::isAssertHeader(one.name)) {
      result.headers[one.name] = frontend::kAssertHeader;
    } else if (header == files_.end()) {
      if (!preludes::hasOwnPrelude(one.name)) blank(one.where);
      if (ownLibrary_ && preludes::replacedByLibrary(one.name)) result.headers[one.name];  // empty
    } else if (!result.headers.contains(one.name)) {
      result.headers[one.name];  // a header that includes itself is read once
      result.headers[one.name] = deviceCodeOf(header->second, folderOf(path), result);
    }
  }
  return device;
}

}  // namespace haloscope::lowering
