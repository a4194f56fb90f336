# `cmake --install` and `cpack`: what another machine needs to run Haloscope. All packages have one layout:
#   bin/haloscope, lib/haloscope/ (libraries), share/haloscope/ (kernels, shaders, assets), share/doc/haloscope/ (licences)
# Components:
#   program    the executable and what it reads
#   fonts      from Debian's packages; the .deb depends on those instead
#   libraries  what another Linux machine may lack; the .deb depends on packages instead
#   nvrtc      NVIDIA's run-time compiler, where the toolkit is installed. CUPTI, which reads hardware counters, is left
#              out: the toolkit's licence permits redistributing NVRTC (attachment A) but not CUPTI's libnvperf_host
#   gputests   the GPU tests and the script that runs everything on a GPU machine: a separate archive, which is
#              unpacked over the first, because they are without Clang and ask its `haloscope` to read texts
# tests/gpu/README.md says how they are tested.
include(GNUInstallDirs)

set(share share/haloscope)
set(private_libraries lib/haloscope)

# DT_RPATH instead of DT_RUNPATH, because it also applies to the libraries' own dependencies and to NVRTC's second
# library. Search order: the libraries that always come from the package; the machine's own, because Mesa or a driver may
# need newer ones than the package has; then the package's spare copies of what the machine lacks.
string(JOIN ":" bundle_rpath
    "$ORIGIN/../${private_libraries}"
    /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64 /usr/lib64 /lib /usr/lib
    "$ORIGIN/../${private_libraries}/spare")
set(packaged_programs haloscope)
install(TARGETS haloscope RUNTIME DESTINATION bin COMPONENT program)
if(TARGET test_gpu)
    set(gpu_programs test_gpu bench_Switching bench_TuningFrames)
    list(APPEND packaged_programs ${gpu_programs})
    set(CPACK_HALOSCOPE_TESTS gputests)
    install(TARGETS ${gpu_programs} RUNTIME DESTINATION bin COMPONENT gputests EXCLUDE_FROM_ALL)
    install(TARGETS fake_cuda fake_nvml fake_cupti LIBRARY DESTINATION bin COMPONENT gputests EXCLUDE_FROM_ALL)
    # What the tests read at other paths than the program: as in the source tree.
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/kernels/styles" DESTINATION ${share}/tests/kernels
        COMPONENT gputests EXCLUDE_FROM_ALL)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/programs" DESTINATION ${share}/tests
        COMPONENT gputests EXCLUDE_FROM_ALL)
    install(FILES "${PROJECT_SOURCE_DIR}/tests/gpu/whole_programs.txt" DESTINATION ${share}/tests/gpu
        COMPONENT gputests EXCLUDE_FROM_ALL)
    get_target_property(order test_gpu HALOSCOPE_ORDER)
    set(gpu_programs_list "${PROJECT_BINARY_DIR}/gpu-tests/programs.json") # with paths relative to the archive's
    file(CONFIGURE OUTPUT "${gpu_programs_list}" CONTENT
        "[\n  {\"label\": \"gpu\", \"program\": \"../../../bin/test_gpu\", ${order}}\n]\n")
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/tests/gpu/run.sh" "${PROJECT_SOURCE_DIR}/tests/gpu/counters.py"
        "${PROJECT_SOURCE_DIR}/app/cmake/run_tests.py"
        DESTINATION ${share}/gpu-tests COMPONENT gputests EXCLUDE_FROM_ALL)
    install(FILES "${gpu_programs_list}" DESTINATION ${share}/gpu-tests COMPONENT gputests EXCLUDE_FROM_ALL)
endif()
foreach(program IN LISTS packaged_programs)
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${bundle_rpath}")
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
endforeach()

# The program of the Python package (app/python/build_wheel.py), in place of the other.
set_target_properties(haloscope_wheel PROPERTIES INSTALL_RPATH "${bundle_rpath}")
target_link_options(haloscope_wheel PRIVATE -Wl,--disable-new-dtags)
install(TARGETS haloscope_wheel RUNTIME DESTINATION bin COMPONENT wheel EXCLUDE_FROM_ALL)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/kernels" "${PROJECT_SOURCE_DIR}/shaders" DESTINATION ${share}
    COMPONENT program)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets" DESTINATION ${share} COMPONENT program
    PATTERN images EXCLUDE PATTERN languages EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/assets/languages" DESTINATION ${share}/assets COMPONENT program)
# Clang's own headers for this processor, with which it compiles host code.
install(DIRECTORY "${clang_headers}/" DESTINATION ${share}/assets/clang/include COMPONENT program
    PATTERN "*_wrappers" EXCLUDE
    REGEX "/(altivec|arm_|hexagon|hvx|opencl|riscv|s390|vecintrin|velintrin|msa|wasm|larch|lasx|lsx|htm|ppc|openmp|sifive|andes)" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/app/cmake/package/haloscope.desktop" DESTINATION share/applications
    COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/app/cmake/package/haloscope.svg" DESTINATION share/icons/hicolor/scalable/apps
    COMPONENT program)

# Licences of what is linked in and of the libraries in the package.
set(licences share/doc/haloscope)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${licences} RENAME copyright COMPONENT program)
foreach(package libclang-${HALOSCOPE_CLANG_VERSION}-dev libseccomp-dev libgif-dev nlohmann-json3-dev libcli11-dev libglm-dev libstb-dev)
    if(EXISTS "/usr/share/doc/${package}/copyright")
        install(FILES "/usr/share/doc/${package}/copyright" DESTINATION ${licences}/licences RENAME ${package}
            COMPONENT program)
    endif()
endforeach()
foreach(part imgui/imgui implot/implot ImGuiColorTextEdit/ImGuiColorTextEdit)
    file(GLOB texts "${external}/${part}/LICENSE*")
    cmake_path(GET part FILENAME name)
    if(texts)
        list(GET texts 0 text)
        install(FILES "${text}" DESTINATION ${licences}/licences RENAME ${name} COMPONENT program)
    endif()
endforeach()

install(DIRECTORY "${PROJECT_BINARY_DIR}/assets/fonts" DESTINATION ${share}/assets COMPONENT fonts)
foreach(package fonts-inter fonts-jetbrains-mono fonts-noto-cjk)
    if(EXISTS "/usr/share/doc/${package}/copyright")
        install(FILES "/usr/share/doc/${package}/copyright" DESTINATION ${licences}/licences RENAME ${package}
            COMPONENT fonts)
    endif()
endforeach()

# The libraries are read from the executable at install time.
set(bundled_program "$<TARGET_FILE:haloscope>")
configure_file("${PROJECT_SOURCE_DIR}/app/cmake/package/InstallLibraries.cmake.in"
    "${PROJECT_BINARY_DIR}/InstallLibraries.cmake.in" @ONLY)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/InstallLibraries.cmake"
    INPUT "${PROJECT_BINARY_DIR}/InstallLibraries.cmake.in")
install(SCRIPT "${PROJECT_BINARY_DIR}/InstallLibraries.cmake" COMPONENT libraries)

if(CUDAToolkit_FOUND)
    file(GLOB nvrtc "${CUDAToolkit_LIBRARY_DIR}/libnvrtc.so.??" "${CUDAToolkit_LIBRARY_DIR}/libnvrtc-builtins.so.??.?")
    foreach(library IN LISTS nvrtc)
        cmake_path(GET library FILENAME name)
        file(REAL_PATH "${library}" file) # may be a link to a longer name
        install(PROGRAMS "${file}" DESTINATION ${private_libraries} RENAME "${name}" COMPONENT nvrtc)
    endforeach()
    file(GLOB nvrtc_licence "${CUDAToolkit_LIBRARY_DIR}/../EULA.txt"
        "${CUDAToolkit_LIBRARY_DIR}/../dist-info/nvidia_cuda_nvrtc-*/licenses/License.txt")
    if(nvrtc_licence)
        list(GET nvrtc_licence 0 nvrtc_licence)
        install(FILES "${nvrtc_licence}" DESTINATION ${licences}/licences RENAME nvrtc COMPONENT nvrtc)
    endif()
endif()

set(CPACK_PACKAGE_NAME haloscope)
set(CPACK_PACKAGE_VENDOR "Haloscope")
set(CPACK_PACKAGE_CONTACT "The Haloscope developers <haloscope@localhost>")
set(CPACK_PACKAGE_FILE_NAME "haloscope-${PROJECT_VERSION}-linux-x86_64")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "microscope for GPU stencil and convolution kernels")
set(CPACK_PACKAGE_DESCRIPTION
    "Opens a CUDA kernel, executes it on an emulator of warps or on the GPU, and
shows what every thread, tile and halo cell did, next to what it cost.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
# xz takes minutes for 230 MB of NVRTC's and Clang's code, and makes the archive a third smaller than gzip: 66 instead of
# 95 MiB. The .deb needs Debian 12 anyway, whose dpkg reads zstd.
set(CPACK_GENERATOR "TXZ;DEB")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/app/cmake/package/Generators.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/app/cmake/package/PrepareDeb.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, so dpkg-shlibdeps cannot find them: GLFW's OpenGL and the fonts.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-inter, fonts-jetbrains-mono, fonts-noto-cjk")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri | libegl-nvidia0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcuda1")
include(CPack)
cpack_add_component_group(haloscope)
cpack_add_component_group(gpu-tests)
foreach(component program fonts libraries nvrtc)
    cpack_add_component(${component} GROUP haloscope)
endforeach()
cpack_add_component(gputests GROUP gpu-tests)
