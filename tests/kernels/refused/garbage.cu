hello world this is no C++ ( ( ( { { [
// error 1:1: unknown type name 'hello'
