#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

#include "program/Program.h"

namespace haloscope::lowering {

/// Clang's types as seen by the IR: the scalars of a value, and their offsets in memory.
class TypeLayout {
 public:
  /// More scalars than a struct in registers may have.
  static constexpr std::size_t kMaxLeaves = 64;

  explicit TypeLayout(const clang::ASTContext& context) : context_(context) {}

  /// One scalar of a struct (or the scalar itself, nameless).
  struct Leaf {
    ValueType type = ValueType::I32;
    std::int64_t byteOffset = 0;
    std::string name;  ///< ".x", ".position.y"
    VectorPart part{};
  };

  /// The shape of an object in memory.
  struct Memory {
    ValueType element = ValueType::F32;
    std::vector<std::int64_t> extents;
    std::vector<StructMember> members{};  ///< see MemoryObject
    std::int64_t structBytes = 0;
  };

  /// The scalar type, if the IR has it.
  [[nodiscard]] std::optional<ValueType> scalar(clang::QualType type) const;
  /// All scalars of a value of this type, those that one access moves marked as its parts; nullopt if the IR lacks a
  /// type of its parts.
  [[nodiscard]] std::optional<std::vector<Leaf>> leaves(clang::QualType type) const;
  /// First leaf and number of leaves of a field.
  [[nodiscard]] std::pair<std::size_t, std::size_t> fieldLeaves(const clang::FieldDecl& field) const;
  /// Arrays of scalars, and of structs: those whose scalars all have one type (`float4`) add an extent of so many
  /// scalars, others one of words.
  [[nodiscard]] std::optional<Memory> memory(clang::QualType type) const;
  /// Words for what memory() has no shape for: a union, or a struct of many numbers. Nothing if pointers are in it.
  [[nodiscard]] std::optional<Memory> words(clang::QualType type) const;
  [[nodiscard]] bool containsArray(clang::QualType type) const;
  [[nodiscard]] std::int64_t bytes(clang::QualType type) const;

 private:
  /// A limit on visited fields, for nested structs without scalars.
  static constexpr std::size_t kMaxVisits = 4096;
  struct Collection {
    std::vector<Leaf> leaves;
    std::size_t visits = 0;
  };

  /// An access of a GPU moves up to 16 bytes, at an address that is a multiple of its size. How far a compiler may
  /// combine the scalars of a struct follows from its alignment: `float4` is one access, `struct {float x, y, z, w;}`
  /// four.
  static void findVectors(std::vector<Leaf>& leaves, std::int64_t alignment);
  [[nodiscard]] std::optional<Memory> ofWords(Memory memory, clang::QualType type,
                                              const std::vector<Leaf>& parts) const;
  /// What a struct holds that holds an array and nothing else: it lies in memory as that does, however long it is.
  [[nodiscard]] std::optional<clang::QualType> onlyArrayOf(clang::QualType type) const;
  [[nodiscard]] bool isPlain(clang::QualType type, std::size_t& visits) const;
  bool collect(clang::QualType type, std::int64_t byteOffset, const std::string& name, Collection& all) const;

  const clang::ASTContext& context_;
};

}  // namespace haloscope::lowering
