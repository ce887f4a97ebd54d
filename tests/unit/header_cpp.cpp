/* A public header must compile alone. The build names it, once per header. */
#include HEADER

/* Something to define: an empty translation unit is not C. */
typedef int header_compiled;
