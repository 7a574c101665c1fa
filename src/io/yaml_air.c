// The sections `air`: {density, sound, wind, altitude}, and `airfoils`: {name: {file: F.c81}}, or
// {name: {lift_slope: 5.7, drag: 0.01, ...}}.
#include "io/c81.h"
#include "io/yaml_read.h"

#include <stddef.h>

void sar_yaml_air(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  r->spec->air_at = (SpecName){"air", n->loc};
  sar_yaml_attributes(r, n, sar_air_form(), r->spec->air);
}

static void read_text(YamlReader* r, SpecAirfoil* a, const char* text, size_t size) {
  SarReading* reading = r->source->reading;
  if (size + 1024 > reading->bytes_left) {
    sar_yaml_report(r, a->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= size + 1024;
  sar_c81_read(r->arena, text, size, a->file.text, &a->tables, r->err);
}

// From a text of the options, if the model is one from memory, else from a file.
static void read_file(YamlReader* r, SpecAirfoil* a) {
  const SarTextFile* memory = sar_yaml_find_text(r, &a->file);
  if (memory) {
    read_text(r, a, memory->size ? memory->text : "", memory->size);
    return;
  }
  SarFileText file;
  const char* path = sar_yaml_find_file(r, &a->file, false);
  if (!path) return;
  sar_note_file(r->source->reading->options, path);
  const SarStatus st =
      sar_file_open_in(r->arena->budget, path, SAR_MAX_FILE, true, a->file.loc, &file, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  if (st == SAR_OK) read_text(r, a, file.text, file.size);
  sar_file_close(&file);
}

static void read_airfoil(YamlReader* r, SpecName name, const YamlNode* n) {
#define NUMBER(i) offsetof(SpecAirfoil, number) + (i) * sizeof(SpecNum), sar_yaml_num
  static const YamlField fields[] = {
      {"file", offsetof(SpecAirfoil, file), sar_yaml_name},
      {"lift_slope", NUMBER(SAR_AIRFOIL_SLOPE)},
      {"zero_lift", NUMBER(SAR_AIRFOIL_ZERO)},
      {"drag", NUMBER(SAR_AIRFOIL_DRAG)},
      {"separated", NUMBER(SAR_AIRFOIL_SEPARATED)},
      {"moment", NUMBER(SAR_AIRFOIL_MOMENT)},
  };
#undef NUMBER
  SpecAirfoil* a = SAR_LIST_ADD(r->arena, &r->spec->airfoils);
  if (!a) return;
  a->name = name;
  const int errors = sar_yaml_errors(r);
  YAML_FIELDS(r, n, fields, a);
  if (!a->file.text || sar_yaml_errors(r) != errors) return;
  for (int i = 0; i < SAR_AIRFOIL_NUMBERS; i++)
    if (a->number[i].expr) {
      sar_yaml_report(r, a->number[i].loc, "leave one of them out",
                      "an airfoil has the tables of a 'file', or numbers");
      return;
    }
  read_file(r, a);
}

void sar_yaml_airfoils(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "airfoil", read_airfoil);
}
