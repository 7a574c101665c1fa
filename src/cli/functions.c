// --functions FILE: functions that models call (SarUserFunction) from shared objects. Only the
// command line names them: a model file cannot make the program load code.
#include "cli/functions.h"

#include <dlfcn.h>
#include <string.h>

// What a shared object is asked for: an array that ends with an entry without a name.
typedef const SarUserFunction* List(void);

static List* open_list(const CliArgs* args, const char* path) {
  char local[1024];
  // a name without a slash would be looked for among the system's libraries
  if (!strchr(path, '/') && snprintf(local, sizeof local, "./%s", path) < (int)sizeof local)
    path = local;
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);  // to the end of the program
  void* found = library ? dlsym(library, "sarrus_functions") : NULL;
  List* list = NULL;
  if (!library)
    cli_usage_error(args->command, "--functions: %s", dlerror());
  else if (!found)
    cli_usage_error(args->command, "--functions: '%s' has no function sarrus_functions", path);
  memcpy((void*)&list, (void*)&found, sizeof list);  // C has no conversion from data to functions
  return list;
}

bool cli_functions(const CliArgs* args, SarUserFunction* out, int most, int* count) {
  *count = 0;
  for (int i = 0; i < args->functions_count; i++) {
    List* list = open_list(args, args->functions[i]);
    const SarUserFunction* f = list ? list() : NULL;
    if (!list) return false;
    for (; f && f->name; f++) {
      if (*count == most) {
        cli_usage_error(args->command, "--functions: more than %d functions", most);
        return false;
      }
      out[(*count)++] = *f;
    }
  }
  return true;
}
