#include "lowering/KernelList.h"

#include <algorithm>
#include <memory>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/Template.h>

namespace haloscope::lowering {

namespace {

class KernelFinder {
 public:
  explicit KernelFinder(const ClangSession& session) : session_(session) {}

  std::vector<ListedKernel> find() {
    visit(*session_.context().getTranslationUnitDecl());
    std::ranges::stable_sort(kernels_, [](const ListedKernel& a, const ListedKernel& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    return std::move(kernels_);
  }

 private:
  void visit(const clang::DeclContext& scope) {
    for (const clang::Decl* decl : scope.decls()) {
      if (!session_.inUserText(decl->getLocation())) {
        // extern "C" { … } and namespaces have their own places; those of the prelude contain no kernels.
        if (!llvm::isa<clang::LinkageSpecDecl>(decl)) continue;
      }
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
        const bool specialization = function->getPrimaryTemplate() != nullptr;
        if (!specialization && isKernel(*function)) add(*function, function->getNameAsString());
      } else if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
        if (pattern->isThisDeclarationADefinition() && isKernel(*pattern->getTemplatedDecl())) {
          addInstances(*const_cast<clang::FunctionTemplateDecl*>(pattern));
        }
      } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) {
        visit(*llvm::cast<clang::DeclContext>(decl));
      }
    }
  }

  static bool isKernel(const clang::FunctionDecl& function) {
    return function.hasAttr<clang::CUDAGlobalAttr>() && function.doesThisDeclarationHaveABody();
  }

  void add(const clang::FunctionDecl& definition, const std::string& name) {
    kernels_.push_back({name, definition.getNameAsString(), &definition, session_.range(definition.getSourceRange()),
                        symbolOf(definition)});
  }

  std::string symbolOf(const clang::FunctionDecl& definition) const {
    const std::unique_ptr<clang::MangleContext> mangler(session_.context().createMangleContext());
    std::string symbol;
    llvm::raw_string_ostream stream(symbol);
    if (mangler->shouldMangleDeclName(&definition)) {
      mangler->mangleName(clang::GlobalDecl(&definition, clang::KernelReferenceKind::Kernel), stream);
      return symbol;
    }
    return definition.getNameAsString();
  }

  void addInstances(clang::FunctionTemplateDecl& pattern) {
    std::vector<const clang::FunctionDecl*> instances;
    for (const clang::FunctionDecl* instance : pattern.specializations()) {
      const clang::FunctionDecl* definition = nullptr;
      if (instance->hasBody(definition)) instances.push_back(definition);
    }
    if (instances.empty()) {
      if (const clang::FunctionDecl* instance = withDefaultArguments(pattern)) instances.push_back(instance);
    }
    const std::string name = pattern.getNameAsString();
    if (instances.empty()) { kernels_.push_back({name, name, nullptr, session_.range(pattern.getSourceRange())}); }
    for (const clang::FunctionDecl* instance : instances) {
      add(*instance, instances.size() == 1 ? name : name + arguments(*instance));
    }
  }

  std::string arguments(const clang::FunctionDecl& instance) const {
    std::string list;
    llvm::raw_string_ostream stream(list);
    clang::printTemplateArgumentList(stream, instance.getTemplateSpecializationArgs()->asArray(),
                                     session_.context().getPrintingPolicy());
    return list;
  }

  /// `template <int T = 8>`: the instance that the defaults imply.
  const clang::FunctionDecl* withDefaultArguments(clang::FunctionTemplateDecl& pattern) const {
    clang::Sema& sema = session_.sema();
    const clang::SourceLocation where = pattern.getLocation();
    for (const clang::NamedDecl* parameter : *pattern.getTemplateParameters()) {
      const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter);
      const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
      const bool defaulted =
          (type != nullptr && type->hasDefaultArgument()) || (value != nullptr && value->hasDefaultArgument());
      if (!defaulted) return nullptr;
    }
    clang::TemplateArgumentListInfo none(where, where);
    llvm::SmallVector<clang::TemplateArgument> sugared;
    llvm::SmallVector<clang::TemplateArgument> canonical;
    if (sema.CheckTemplateArgumentList(&pattern, where, none, false, sugared, canonical)) return nullptr;
    auto* list = clang::TemplateArgumentList::CreateCopy(session_.context(), canonical);
    clang::FunctionDecl* instance = sema.InstantiateFunctionDeclaration(&pattern, list, where);
    if (instance == nullptr) return nullptr;
    sema.InstantiateFunctionDefinition(where, instance, /*Recursive=*/true, /*DefinitionRequired=*/true);
    const clang::FunctionDecl* definition = nullptr;
    return instance->hasBody(definition) ? definition : nullptr;
  }

  const ClangSession& session_;
  std::vector<ListedKernel> kernels_;
};

}  // namespace

std::vector<ListedKernel> listKernels(const ClangSession& session) { return KernelFinder(session).find(); }

}  // namespace haloscope::lowering
