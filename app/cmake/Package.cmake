# `cmake --install` and `cpack`: what is needed to run Haloscope on another machine. One layout serves all:
#   bin/haloscope, lib/haloscope/ (libraries), share/haloscope/ (kernels, shaders, assets), share/doc/haloscope/ (licences)
# Components:
#   program    the executable and what it reads
#   fonts      from Debian's packages; the .deb depends on those instead
#   libraries  what another Linux machine may lack; the .deb depends on packages instead
#   nvrtc      NVIDIA's run-time compiler, where the toolkit is present. Not CUPTI, which reads hardware counters: the
#              toolkit's licence lets NVRTC be passed on (attachment A), but does not name CUPTI's libnvperf_host
#   gputests   the GPU tests and the script that runs everything on a GPU machine: an archive of its own, which is
#              unpacked over the first
# See tests/gpu/README.md for what was tried with them.
include(GNUInstallDirs)

set(share share/haloscope)
set(private_libraries lib/haloscope)

# DT_RPATH, not DT_RUNPATH: it also holds for what the libraries need, and for NVRTC's other half. First the libraries
# that are always ours; then this machine's, as Mesa or a driver may need newer ones than ours; then what it lacks.
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
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/tests/gpu/run.sh" "${PROJECT_SOURCE_DIR}/tests/gpu/counters.py"
        DESTINATION ${share}/gpu-tests COMPONENT gputests EXCLUDE_FROM_ALL)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/kernels/styles" DESTINATION ${share}
        COMPONENT gputests EXCLUDE_FROM_ALL)
endif()
foreach(program IN LISTS packaged_programs)
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${bundle_rpath}")
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
endforeach()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/kernels" "${PROJECT_SOURCE_DIR}/shaders" DESTINATION ${share}
    COMPONENT program)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets" DESTINATION ${share} COMPONENT program
    PATTERN images EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/app/cmake/package/haloscope.desktop" DESTINATION share/applications
    COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/app/cmake/package/haloscope.svg" DESTINATION share/icons/hicolor/scalable/apps
    COMPONENT program)

# Licences, of what is linked in and of what lies beside.
set(licences share/doc/haloscope)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${licences} RENAME copyright COMPONENT program)
foreach(package libclang-19-dev libspdlog-dev nlohmann-json3-dev libcli11-dev libglm-dev libstb-dev)
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
foreach(package fonts-inter fonts-jetbrains-mono fonts-wqy-microhei)
    if(EXISTS "/usr/share/doc/${package}/copyright")
        install(FILES "/usr/share/doc/${package}/copyright" DESTINATION ${licences}/licences RENAME ${package}
            COMPONENT fonts)
    endif()
endforeach()

# The libraries are found when installing, from the executable itself.
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
        file(REAL_PATH "${library}" file) # it may be a link to a longer name
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
set(CPACK_GENERATOR "TXZ;DEB")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/app/cmake/package/Generators.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/app/cmake/package/PrepareDeb.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, so nothing sees them: GLFW's OpenGL, and the fonts.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-inter, fonts-jetbrains-mono, fonts-wqy-microhei")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri | libegl-nvidia0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcuda1")
include(CPack)
cpack_add_component_group(haloscope)
cpack_add_component_group(gpu-tests)
foreach(component program fonts libraries nvrtc)
    cpack_add_component(${component} GROUP haloscope)
endforeach()
cpack_add_component(gputests GROUP gpu-tests)
