// Loading an FMU of others (import.h): its archive, its description, its shared object.
//
// Archive and description are read as texts of unknown origin are. Its code is code: whoever names
// an FMU on the command line runs it, with all that this program may do.
#include "fmi/import_parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "fmi/archive.h"
#include "fmi/pack.h"
#include "io/source.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_TEXT = 64 << 20 };

void sar_import_say(const SarImported* fmu, const char* format, ...) {
  char text[800];
  va_list args;
  if (!fmu->say) return;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fmu->say(fmu->context, text);
}

const SarImportDescription* sar_import_description(const SarImported* fmu) {
  return &fmu->description;
}

static SarStatus describe(SarImported* fmu, SarError* err) {
  const char* path = sar_arena_printf(&fmu->arena, "%s/modelDescription.xml", fmu->folder);
  SarFileText file;
  if (!path) return SAR_NO_MEMORY;
  SarStatus st = sar_file_open(path, MOST_TEXT, true, (SarLoc){0}, &file, err);
  if (st == SAR_OK)
    st = sar_import_describe(&fmu->arena, file.text, file.size, path, &fmu->description, err);
  sar_file_close(&file);
  return st;
}

static SarStatus refuse(const char* path, SarError* err, const char* format, const char* what) {
  char shown[300];
  sar_report(err, (SarLoc){.file = path}, "", format, sar_visible(shown, sizeof shown, what));
  return SAR_BAD_MODEL;
}

// Pointers to functions from a library, in the order of their names; the name of the first that is
// missing, or NULL.
static const char* find_all(void* library, const char* const* names, unsigned char* table) {
  for (size_t i = 0; names[i]; i++) {
    void* found = dlsym(library, names[i]);
    if (!found) return names[i];
    memcpy(table + i * sizeof found, (void*)&found, sizeof found);  // C has no such conversion
  }
  return NULL;
}

static size_t count_of(const char* const* names) {
  size_t n = 0;
  while (names[n]) n++;
  return n;
}

static SarStatus load(SarImported* fmu, const char* path, SarError* err) {
  const SarImportDescription* d = &fmu->description;
  const char* platform = sar_fmi_platform(d->version);
  const char* file =
      sar_arena_printf(&fmu->arena, "%s/binaries/%s/%s.so", fmu->folder, platform, d->identifier);
  fmu->ops = d->version == 2 ? &sar_import_ops2 : &sar_import_ops3;
  fmu->functions = sar_arena_push(&fmu->arena, fmu->ops->size);
  if (!file || !fmu->functions) return SAR_NO_MEMORY;
  if (!sar_file_exists(file))
    return refuse(path, err, "it has no binary for this platform (%s)", platform);
  fmu->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!fmu->library) return refuse(path, err, "its binary cannot be loaded: %s", dlerror());
  const char* missing = find_all(fmu->library, fmu->ops->symbols, fmu->functions);
  if (!missing && d->keeps_states)
    missing =
        find_all(fmu->library, fmu->ops->more,
                 (unsigned char*)fmu->functions + count_of(fmu->ops->symbols) * sizeof(void*));
  if (missing) return refuse(path, err, "its binary has no function '%s'", missing);
  if (!fmu->ops->fits(fmu))
    return refuse(path, err, "its binary is of another version of FMI%s", "");
  return SAR_OK;
}

// Brings the variables of a list to the front, in its order; -1 after a report: how many.
static int choose(SarImportVariable* all, int count, const char* list, const char* what,
                  SarError* err) {
  int n = 0;
  if (!list || !list[0]) return count;
  for (const char* at = list; *at; at += *at == ',') {
    const size_t length = strcspn(at, ",");
    int k = n;
    while (k < count && (strlen(all[k].name) != length || strncmp(all[k].name, at, length) != 0))
      k++;
    if (k == count) {
      sar_report(err, (SarLoc){0}, "", "the FMU has no %s '%.*s' (or it is named twice)", what,
                 (int)length, at);
      return -1;
    }
    const SarImportVariable found = all[k];
    memmove(&all[n + 1], &all[n], (size_t)(k - n) * sizeof *all);
    all[n++] = found;
    at += length;
  }
  return n;
}

SarStatus sar_import_choose(SarImported* fmu, const char* inputs, const char* outputs,
                            SarError* err) {
  SarImportDescription* d = &fmu->description;
  const int in = choose(d->input, d->inputs, inputs, "input", err);
  const int out = choose(d->output, d->outputs, outputs, "output", err);
  if (in < 0 || out < 0) return SAR_BAD_ARGUMENT;
  d->inputs = in;
  d->outputs = out;
  return SAR_OK;
}

static SarStatus open_all(SarImported* fmu, const char* path, SarError* err) {
  char folder[sizeof fmu->folder];
  SAR_TRY(sar_folder_make(folder, sizeof folder, err));
  memcpy(fmu->folder, folder, sizeof folder);
  SAR_TRY(sar_archive_unpack(path, fmu->folder, err));
  SAR_TRY(describe(fmu, err));
  if (fmu->description.needs_file)
    return refuse(path, err, "it runs only together with the program that made it%s", "");
  SAR_TRY(load(fmu, path, err));
  if (!fmu->ops->make(fmu, fmu->description.identifier))
    return refuse(path, err, "it refuses to make an instance%s", "");
  return SAR_OK;
}

SarStatus sar_import_open(const char* path, void (*say)(void* context, const char* text),
                          void* context, SarImported** out, SarError* err) {
  *out = NULL;
  if (!sar_fmi_platform(2)) return refuse(path, err, "FMI has no name for this platform%s", "");
  SarImported* fmu = sar_alloc(sizeof *fmu);
  if (!fmu) return SAR_NO_MEMORY;
  *fmu = (SarImported){.say = say, .context = context};
  sar_arena_init(&fmu->arena);
  const SarStatus st = open_all(fmu, path, err);
  if (st == SAR_OK)
    *out = fmu;
  else
    sar_import_close(fmu);
  return st;
}

void sar_import_close(SarImported* fmu) {
  if (!fmu) return;
  sar_import_forget(fmu);
  if (fmu->instance) fmu->ops->free(fmu);
  if (fmu->library) dlclose(fmu->library);
  if (fmu->folder[0]) sar_folder_remove(fmu->folder);
  sar_arena_free(&fmu->arena);
  sar_free(fmu);
}
