# Compiles for browsers: WebAssembly with WASI's C library, as Debian's packages bring them
# (app/cmake/install-dependencies.sh pages).
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../clang-version" version)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
foreach(language IN ITEMS C CXX)
    set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
    # Two numbers side by side, memory copied by the engine, conversions that saturate: engines have had these since 2021;
    # exceptions since 2022.
    set(CMAKE_${language}_FLAGS_INIT "-fwasm-exceptions -msimd128 -mbulk-memory -mnontrapping-fptoint")
endforeach()
set(CMAKE_C_COMPILER clang-${version})
set(CMAKE_CXX_COMPILER clang++-${version})
set(CMAKE_AR llvm-ar-${version})
set(CMAKE_RANLIB llvm-ranlib-${version})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
