/* A plain program: whether the flags it is compiled by leave the arithmetic of wide/exact.h as it is written. Exits with 1
 * where they change it. .ci/builds.sh compiles it with such flags. */
#include "wide/lane/exact.h"

int main(void) { return !wp_is_exact(); }
