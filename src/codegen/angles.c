// Sines and cosines that are computed together (angles.h).
#include "codegen/angles.h"

#include <string.h>

static int place_of(const SarAngles* a, const char* text) {
  for (int i = 0; i < a->text.count; i++)
    if (strcmp(a->text.items[i], text) == 0) return i;
  return -1;
}

int sar_angles_find(SarArena* arena, SarAngles* a, const char* text) {
  const int at = place_of(a, text);
  if (at >= 0) return at;
  const char** to = SAR_LIST_ADD(arena, &a->text);
  if (!to) return -1;
  *to = text;
  return a->text.count - 1;
}

int sar_angles_row(SarArena* arena, SarAngles* a, int n, const char* const* text) {
  const int first = place_of(a, text[0]), count = a->text.count;
  for (int k = 0; k < n; k++) {
    if (place_of(a, text[k]) != (first < 0 ? -1 : first + k)) return -1;
    for (int i = 0; i < k; i++)
      if (strcmp(text[i], text[k]) == 0) return -1;
  }
  for (int k = 0; first < 0 && k < n; k++)
    if (sar_angles_find(arena, a, text[k]) < 0) return -1;
  return first < 0 ? count : first;
}

int sar_angles_room(const SarAngles* a, int vector) {
  return (a->text.count + vector - 1) / vector * vector;
}

void sar_angles_write(const SarAngles* a, SarWriter* w, const char* model, int vector) {
  const int room = sar_angles_room(a, vector);
  if (room == 0) return;
  sar_write(w, "  real angle[%d], sine[%d], cosine[%d];\n", room, room, room);
  for (int i = 0; i < room; i++)
    sar_write(w, "  angle[%d] = %s;\n", i, i < a->text.count ? a->text.items[i] : "0");
  sar_write(w, "  %s_sincos(%d, angle, sine, cosine);\n", model, room);
}
