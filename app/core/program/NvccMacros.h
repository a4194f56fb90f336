#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

/// The macros by which a text knows its compiler. Programs are written for nvcc: their texts see what it has, with GCC
/// for the host, although Clang reads them.
namespace haloscope {

/// Those that Clang defines, and nvcc does not.
[[nodiscard]] inline std::vector<std::string> macrosOfClang() {
  std::vector<std::string> names{"__clang__",
                                 "__clang_major__",
                                 "__clang_minor__",
                                 "__clang_patchlevel__",
                                 "__clang_version__",
                                 "__clang_literal_encoding__",
                                 "__clang_wide_literal_encoding__",
                                 "__llvm__",
                                 "__CUDA__",
                                 "__NVPTX__",
                                 "__PTX__",
                                 "__BITINT_MAXWIDTH__",
                                 "__BOOL_WIDTH__",
                                 "__LLONG_WIDTH__",
                                 "__POINTER_WIDTH__",
                                 "__UINTMAX_WIDTH__",
                                 "__UINTPTR_WIDTH__",
                                 "__CONSTANT_CFSTRINGS__",
                                 "__FLOAT128__",
                                 "__GNUC_GNU_INLINE__",
                                 "__LITTLE_ENDIAN__",
                                 "__NO_MATH_ERRNO__",
                                 "__NO_MATH_INLINES",
                                 "__OBJC_BOOL_IS_BOOL",
                                 "__STDC_EMBED_EMPTY__",
                                 "__STDC_EMBED_FOUND__",
                                 "__STDC_EMBED_NOT_FOUND__",
                                 "__WINT_UNSIGNED__",
                                 "__code_model___",
                                 "__private_extern__",
                                 "__seg_fs",
                                 "__seg_gs",
                                 "__tune_k8__",
                                 "__cpp_deleted_function",
                                 "__cpp_named_character_escapes",
                                 "__cpp_pack_indexing",
                                 "__cpp_placeholder_variables",
                                 "__cpp_static_call_operator",
                                 "__has_feature",
                                 "__has_extension",
                                 "__has_warning",
                                 "__has_embed",
                                 "__has_constexpr_builtin",
                                 "__has_declspec_attribute",
                                 "__is_identifier",
                                 "__is_target_arch",
                                 "__is_target_vendor",
                                 "__is_target_os",
                                 "__is_target_environment",
                                 "__building_module"};
  const auto add = [&](const std::string& before, std::initializer_list<const char*> parts, const std::string& after) {
    for (const char* part : parts) { names.push_back(before + part + after); }
  };
  add("__CLANG_ATOMIC_",
      {"BOOL", "CHAR", "CHAR8_T", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER"},
      "_LOCK_FREE");
  add("__FPCLASS_",
      {"SNAN", "QNAN", "NEGINF", "NEGNORMAL", "NEGSUBNORMAL", "NEGZERO", "POSZERO", "POSSUBNORMAL", "POSNORMAL",
       "POSINF"},
      "");
  add("__MEMORY_SCOPE_", {"SYSTEM", "DEVICE", "WRKGRP", "WVFRNT", "SINGLE"}, "");
  add("__OPENCL_MEMORY_SCOPE_", {"WORK_ITEM", "WORK_GROUP", "DEVICE", "ALL_SVM_DEVICES", "SUB_GROUP"}, "");
  for (const char* width : {"8", "16", "32", "64", "MAX", "PTR", "_LEAST8", "_LEAST16", "_LEAST32", "_LEAST64",
                            "_FAST8", "_FAST16", "_FAST32", "_FAST64"}) {
    add(std::string("__INT") + width, {"_C_SUFFIX", "_FMTd", "_FMTi"}, "__");
    add(std::string("__UINT") + width, {"_C_SUFFIX", "_FMTo", "_FMTu", "_FMTx", "_FMTX"}, "__");
  }
  add("__SIZE_FMT", {"o", "u", "x", "X"}, "__");
  add("__PTRDIFF_FMT", {"d", "i"}, "__");
  return names;
}

/// A macro of nvcc's that Clang does not define, or otherwise.
struct NvccMacro {
  const char* name;
  const char* value;  ///< null: nvcc does not define it, unless told to
};
inline constexpr auto kMacrosOfNvcc = std::to_array<NvccMacro>({
    {"__NVCC__", "1"},
    {"__CUDACC_VER_MAJOR__", "12"},
    {"__CUDACC_VER_MINOR__", "8"},
    {"__CUDACC_VER_BUILD__", "93"},
    {"__GNUC__", "12"},
    {"__GNUC_MINOR__", "2"},
    {"__GNUC_PATCHLEVEL__", "0"},
    {"__GNUG__", "12"},
    {"__VERSION__", "\"12.2.0\""},
    {"__OPTIMIZE__", nullptr},
});

}  // namespace haloscope
