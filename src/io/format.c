// Which reader a file is for: the extension says it; without one, the first character.
#include "io/reader.h"
#include "io/source.h"

#include <string.h>

static bool contains(const char* text, size_t n, const char* word) {
  size_t m = strlen(word);
  for (size_t i = 0; i + m <= n; i++)
    if (memcmp(text + i, word, m) == 0) return true;
  return false;
}

static bool begins_as_xml(const char* text, size_t n) {
  size_t i = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  while (i < n && strchr(" \t\r\n", text[i]) && text[i]) i++;
  return i < n && text[i] == '<';
}

static bool has_extension(const char* path) {
  const char* slash = strrchr(path, '/');
  return strchr(slash ? slash : path, '.') != NULL;
}

SarStatus sar_read_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                          SarError* err) {
  const char* path = source->name;
  SarLoc loc = {path, 0, 0};
  bool yaml = sar_path_has_extension(path, ".yaml") || sar_path_has_extension(path, ".yml") ||
              sar_path_has_extension(path, ".json");
  bool urdf = sar_path_has_extension(path, ".urdf");
  spec->lost = SPEC_UNREAD;
  bool xml = sar_path_has_extension(path, ".xml"), sdf = sar_path_has_extension(path, ".sdf");
  if (!yaml && !urdf && !xml && !sdf && has_extension(path)) {
    sar_report(err, loc, "expected .yaml, .yml, .json, .urdf, .sdf or .xml",
               "not a kind of file that is read");
    return SAR_BAD_MODEL;
  }
  bool mjcf = false;
  if (!yaml && !urdf && !sdf && begins_as_xml(text, n)) {
    sdf = contains(text, n, "<sdf");
    mjcf = !sdf && contains(text, n, "<mujoco");
    urdf = !sdf && !mjcf && contains(text, n, "<robot");
    if (!urdf && !mjcf && !sdf) {
      sar_report(err, loc,
                 "of XML files, URDF (its first tag is <robot>), SDF (<sdf>) and MJCF (<mujoco>) "
                 "are read",
                 "this XML file is neither a URDF nor an SDF nor a MJCF model");
      return SAR_BAD_MODEL;
    }
  }
  if (sdf) {
    const SarStatus st = sar_read_sdf_source(text, n, source, spec, err);
    if (st == SAR_OK) spec->lost = 0;
    return st;
  }
  if (mjcf) {
    const SarStatus st = sar_read_mjcf_source(text, n, source, spec, err);
    if (st == SAR_OK) spec->lost = 0;
    return st;
  }
  if (urdf) {
    const SarStatus st = sar_read_urdf(text, n, path, source->reading->options, spec, err);
    if (st == SAR_OK) spec->lost = 0;
    return st;
  }
  return sar_read_yaml_source(text, n, source, spec, err);
}

SarReading sar_reading(const SarLoadOptions* o) {
  return (SarReading){.options = o,
                      .bytes_left = SAR_MAX_INCLUDED,
                      .nodes_left = SAR_MAX_NODES,
                      .copies_left = SAR_MAX_COPIES,
                      .copied_left = SAR_MAX_COPIED};
}
