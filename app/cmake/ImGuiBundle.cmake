# Dear ImGui (docking) and its extensions, compiled from the source distribution of Dear ImGui Bundle
# (BundledSources.cmake):
#   imgui                   <imgui.h> <imgui_internal.h> <imgui_stdlib.h> <imgui_impl_glfw.h> <imgui_impl_opengl3.h>
#   implot                  <implot.h>
#   imgui_color_text_edit   <TextEditor.h>
#   imgui_test_engine       <imgui_te_engine.h> <imgui_te_context.h>; tests only
#   imgui_no_test_engine    empty test hooks; everything else
#
# ImGui is compiled once, with its test hooks, each of which costs a branch on a flag that only the engine sets. An
# executable links either the engine or imgui_no_test_engine. So the tests drive the code that ships, and the program
# does not contain the test engine, which has another licence than ImGui.

set(imgui_dir "${external}/imgui/imgui")
haloscope_third_party(imgui
    SOURCES
        "${imgui_dir}/imgui.cpp" "${imgui_dir}/imgui_demo.cpp" "${imgui_dir}/imgui_draw.cpp"
        "${imgui_dir}/imgui_tables.cpp" "${imgui_dir}/imgui_widgets.cpp" "${imgui_dir}/imgui_stacklayout.cpp"
        "${imgui_dir}/misc/cpp/imgui_stdlib.cpp"
        "${imgui_dir}/backends/imgui_impl_glfw.cpp" "${imgui_dir}/backends/imgui_impl_opengl3.cpp"
    INCLUDE "${imgui_dir}" "${imgui_dir}/backends" "${imgui_dir}/misc/cpp"
    LINK glad glfw)
# ImGui's demo windows are not used, and their file is its second longest.
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS IMGUI_ENABLE_TEST_ENGINE)
# ImGui's renderer calls OpenGL through glad, which works for GLFW's and for EGL's contexts. Its own loader would open
# libGL and GLX, which a machine without an X server may lack.
set_source_files_properties("${imgui_dir}/backends/imgui_impl_opengl3.cpp" PROPERTIES
    COMPILE_OPTIONS "-DIMGUI_IMPL_OPENGL_LOADER_CUSTOM;-include;glad/gl.h")

haloscope_third_party(implot
    SOURCES "${external}/implot/implot/implot.cpp" "${external}/implot/implot/implot_items.cpp"
    INCLUDE "${external}/implot/implot"
    LINK imgui)
# The figures draw the contents of their plots themselves. Instantiated for all ten types, as is the default,
# implot_items.cpp takes three minutes to compile.
set_source_files_properties("${external}/implot/implot/implot_items.cpp" PROPERTIES
    COMPILE_DEFINITIONS "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)" COMPILE_OPTIONS -O0)

set(text_edit_dir "${external}/ImGuiColorTextEdit/ImGuiColorTextEdit")
haloscope_third_party(imgui_color_text_edit
    SOURCES "${text_edit_dir}/TextEditor.cpp"
    INCLUDE "${text_edit_dir}" "${external}/ImGuiColorTextEdit"
    LINK imgui)
target_compile_options(imgui_color_text_edit PRIVATE $<$<CONFIG:Release>:-O1>)

# Both implementations of the hooks are object libraries, because imgui's archive calls them: the order of archives on
# the link line then does not matter.
haloscope_third_party(imgui_no_test_engine OBJECT
    SOURCES "${PROJECT_SOURCE_DIR}/app/cmake/imgui_no_test_engine.cpp"
    LINK imgui)

if(HALOSCOPE_TESTS)
    set(engine_dir "${external}/imgui_test_engine/imgui_test_engine/imgui_test_engine")
    file(GLOB engine_sources "${engine_dir}/*.cpp")
    haloscope_third_party(imgui_test_engine OBJECT
        SOURCES ${engine_sources}
        INCLUDE "${engine_dir}"
        LINK imgui Threads::Threads)
    target_compile_options(imgui_test_engine PRIVATE $<$<CONFIG:Release>:-O1>)
    # Its screenshots use a copy of stb, whose symbols must not clash with ours.
    set_source_files_properties("${engine_dir}/imgui_capture_tool.cpp" PROPERTIES
        COMPILE_DEFINITIONS STB_IMAGE_WRITE_STATIC)
    target_compile_definitions(imgui_test_engine PUBLIC
        IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1 IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
        IMGUI_TEST_ENGINE_ENABLE_CAPTURE=1 IMGUI_TEST_ENGINE_ENABLE_IMPLOT=0)
endif()
