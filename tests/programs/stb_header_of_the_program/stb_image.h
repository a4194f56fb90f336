// As the library's own header, which is long.
#ifndef STBI_INCLUDE_STB_IMAGE_H
#define STBI_INCLUDE_STB_IMAGE_H
extern unsigned char* stbi_load(char const* filename, int* x, int* y, int* channels_in_file, int desired_channels);
extern void stbi_image_free(void* retval_from_stbi_load);
#endif
#ifdef STB_IMAGE_IMPLEMENTATION
unsigned char* stbi_load(char const*, int*, int*, int*, int) { return nullptr; }
void stbi_image_free(void*) {}
#endif
