// What rotors keep of their last revolution (elements/aero/revolution.h).
#include "elements/aero/revolution.h"
#include "elements/forces/rotorcraft.h"
#include "sim/outputs/outputs.h"

static bool mean_column(const SarOutputOwner* of, int i, SarColumn* out) {
  static const char* const NAME[SAR_ROTOR_MEANS] = {
      "flap_0",   "flap_1c", "flap_1s", "flap_2c",  "flap_2s",  "lag_0",    "lag_1c",   "lag_1s",
      "lag_2c",   "lag_2s",  "pitch_0", "pitch_1c", "pitch_1s", "pitch_2c", "pitch_2s", "thrust_0",
      "torque_0", "fx_0",    "fy_0",    "fz_0",     "mx_0",     "my_0",     "mz_0"};
  if (!of->force || !sar_force_is_rotor(of->force) || i >= SAR_ROTOR_MEANS) return false;
  out->name = NAME[i];
  return true;
}

static double mean(const SarOutputRow* row, const SarChannel* c) {
  return sar_rotor_mean(row->s->m, row->s->d, c->index, c->component);
}

const SarOutputKind sar_output_rotor_harmonics = {
    .name = "rotor harmonics",
    .doc =
        "of a rotor: harmonics of flap, lag and pitch of the blades, mean loads, over the last "
        "revolution [rad, N, N m]",
    .of = SAR_OF_FORCE,
    .with = "harmonics",
    .group = "harmonics",
    .held = true,
    .column = mean_column,
    .value = mean,
    .past = always_past,
};
