// libFuzzer target: any bytes as the decisions behind a mechanism (mechanism.h), which lives as in
// life.h. The first three bytes choose the method, the fourth what is around (mechanism_world.h).
// Nearly all of these texts are sound, so the time goes into assembly, dynamics and steps, which
// other targets rarely reach. SARRUS_FUZZ_SHOW=1 prints them.
#include "fuzz/life.h"
#include "fuzz/mechanism_world.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  static Mechanism k;
  k = (Mechanism){.data = data + 4, .size = size - 4, .world = data[3]};
  mech_write(&k);
  const SarLoadOptions o = {.files = mech_files, .file_count = MECH_FILES};
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  const SarStatus st = sar_model_parse(k.text, k.used, "yaml", "fuzz.yaml", &o, &m, &err);
  require((st == SAR_OK) == (m != NULL));
  require((st == SAR_OK) == (err.errors == 0));
  life_show(k.text, k.used, &err);
  const uint32_t choice = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16;
  // of the formulations a few take contact: in a scene it is one of those, but for one time in four
  const bool impulses = k.world & MECH_SCENE && (choice & 3) != 3;
  if (m) life_of_model_by(m, choice, impulses ? life_pick_impulses(choice >> 2 & 0x3f) : NULL);
  sar_model_free(m);
  return 0;
}
