# The OpenGL loader: the target glad, with <glad/gl.h> for OpenGL 4.5 core. Generated, not committed.
# --reproducible uses the registry that ships with the generator instead of downloading one.

set(glad_dir "${PROJECT_BINARY_DIR}/glad")
add_custom_command(
    OUTPUT "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h" "${glad_dir}/include/KHR/khrplatform.h"
    COMMAND "${HALOSCOPE_PYTHON}" -m glad --quiet --reproducible --api gl:core=4.5 --extensions "" --out-path "${glad_dir}" c
    COMMENT "Generating the OpenGL 4.5 loader"
    VERBATIM)
add_library(glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h")
file(MAKE_DIRECTORY "${glad_dir}/include")
target_include_directories(glad SYSTEM PUBLIC "${glad_dir}/include")
target_compile_options(glad PRIVATE -w)
# Otherwise GLFW's header includes the system's gl.h, which glad rejects.
target_compile_definitions(glad PUBLIC GLFW_INCLUDE_NONE)
