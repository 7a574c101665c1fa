// What this library is: version, compiler, and whether the build trades bit-reproducibility for
// speed.
#include "sarrus/sarrus.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#if defined(__clang__)
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__)
#elif defined(__GNUC__)
#define COMPILER "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__)
#else
#define COMPILER "unknown compiler"
#endif

SAR_API const char* sar_version(void) { return SARRUS_VERSION " (" COMPILER ", " SARRUS_BUILD ")"; }
