// Strips: the air on a blade, a wing or a fin that a rigid body carries (blade element theory).
//
// Stations r along `span` from the point on; at each the section has axes 1 towards the leading
// edge, 2 up, 3 = 1 x 2, turned nose-up by the twist: 1 towards 2. The loads per unit of span
// (aero/section.h) act at the aerodynamic centre and are summed at Gauss points, `points` on each
// of `panels` equal pieces. Velocity of the section against the air:
//
//   v = velocity of the body there - wind + v_i n          v_i: induced velocity, against the
//                                                          thrust axis n of the rotor
//
// taken half a chord behind the aerodynamic centre (3/4-chord rule: what a thin airfoil in slow
// rotation feels), or with `lift: steady` at it. `lift: unsteady` has Wagner's delay of the lift
// behind it (aero/wake.h): two states of each Gauss point. Beyond tip_loss times the rotor's radius
// there is no lift.
//
// Energy: all that the air does is work. Tangent: dF1/dv1 and dF2/dv2 at each point; left out are
// couplings between them, which are not symmetric, what turns the section, and the inflow.
#include "elements/forces/strips.h"

int sar_strips_rotor(const SarModel* m, int strips) {
  const SarAttrValue* a = sar_force_attr(m, strips, ROTOR);
  return a->given ? a->index : -1;
}

int sar_strips_body(const SarModel* m, int strips) {
  return sar_force_attr(m, strips, BODY)->index;
}

// ---- checks -------------------------------------------------------------------------------------

static bool is_count(double x, int most) { return x >= 1 && x <= most && x == floor(x); }

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const char* name = sar_text(m, m->force_name[force]);
  const int errors = err->errors;
  V3 axes[3], span;
  if (!is_count(strips_number(m, force, POINTS), MOST_POINTS))
    sar_report(err, loc, "", "force '%s': points is %g, but must be a whole number from 1 to %d",
               name, strips_number(m, force, POINTS), MOST_POINTS);
  if (!is_count(strips_number(m, force, PANELS), MOST_PANELS))
    sar_report(err, loc, "", "force '%s': panels is %g, but must be a whole number from 1 to %d",
               name, strips_number(m, force, PANELS), MOST_PANELS);
  if (!(strips_number(m, force, TIP) > strips_number(m, force, ROOT)))
    sar_report(err, loc, "", "force '%s': tip (%g) must be further out than root (%g)", name,
               strips_number(m, force, TIP), strips_number(m, force, ROOT));
  if (!(strips_number(m, force, TIP_LOSS) > 0 && strips_number(m, force, TIP_LOSS) <= 1))
    sar_report(err, loc, "", "force '%s': tip_loss is %g, but must be above 0 and at most 1", name,
               strips_number(m, force, TIP_LOSS));
  if (!strips_axes_of(m, force, axes, &span))
    sar_report(err, loc, "as in span: x, lead: y, up: z",
               "force '%s': span, lead and up do not span three directions", name);
  const SarAttrValue* chord = sar_force_attr(m, force, CHORD);
  for (int i = 0; i < chord->index; i++)
    if (!(m->attr_data[chord->adr + 2 * i + 1] > 0)) {
      sar_report(err, loc, "", "force '%s': chord is %g, but must be greater than 0", name,
                 m->attr_data[chord->adr + 2 * i + 1]);
      break;
    }
  if (sar_force_attr(m, force, LIFT)->index == UNSTEADY && strips_count(m, force) > MOST_UNSTEADY)
    sar_report(err, loc, "use fewer points or panels, or several elements",
               "force '%s': unsteady lift at %d Gauss points, but %d are the most", name,
               strips_count(m, force), MOST_UNSTEADY);
  const int rotor = sar_strips_rotor(m, force);
  if (rotor >= 0 && !sar_is_rotor(m, rotor))
    sar_report(err, loc, "", "force '%s': inflow: '%s' is a %s, not a rotor", name,
               sar_text(m, m->force_name[rotor]), m->force_kind[rotor]->name);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// ---- forces -------------------------------------------------------------------------------------

static void apply(const SarModel* m, SarData* d, int force) {
  const int body = sar_strips_body(m, force), rotor = sar_strips_rotor(m, force);
  if (m->force_state[force] >= 0) strips_rates(m, d, force, NULL);
  // where a step is implicit in the states, the rotor has left the loads of their solution
  if (rotor < 0) {
    sar_strips_load(m, d, force, NULL, false);
  } else if (!d->z_from || m->force_state[rotor] < 0 || !d->force_on[rotor]) {
    const SarInflowField field = sar_rotor_field_left(m, d, rotor);
    sar_strips_load(m, d, force, &field, false);
  }
  const SarStripsLoad* load = &strips_cache(m, d, force)->load;
  const V3 f = load->f, n = load->n;
  d->force_power[force] =
      v3_dot(f, point_velocity(d, body, v3_zero())) + v3_dot(n, body_omega(d, body));
  add_force_at(d, body, v3_zero(), f);
  add_torque(d, body, n);
  const V3 root = m3_mul_v(body_pose(d, body).R, strips_root(m, force));
  // n is about the origin of B, which files do not know
  const V3 moment = v3_sub(n, v3_cross(root, f));
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z, moment.x, moment.y, moment.z});
}

const SarForceKind sar_force_strips = {
    .name = "strips",
    .doc = "air on a blade, wing or fin: strips with an airfoil, summed along the span",
    .ref = "Johnson 1980, ch. 2",
    .targets = 1,
    .attr =
        {{"body", SAR_ATTR_POINT, NULL, "where the span axis begins", NULL},
         {"span", SAR_ATTR_DIRECTION, "1 0 0", "direction of the span axis, body frame", NULL},
         {"lead", SAR_ATTR_DIRECTION, "0 1 0", "towards the leading edge, body frame", NULL},
         {"up", SAR_ATTR_DIRECTION, "0 0 1", "towards the suction side, body frame", NULL},
         {"root", SAR_ATTR_NUMBER, "0", "station where the strips begin [m]", NULL},
         {"tip", SAR_ATTR_NUMBER, NULL, "station where they end [m]", NULL},
         {"chord", SAR_ATTR_SPAN, NULL, "number, or table of the station [m]", NULL},
         {"twist", SAR_ATTR_SPAN, "0", "nose-up, number or table of the station [m, rad]", NULL},
         {"centre", SAR_ATTR_SPAN, "0",
          "aerodynamic centre ahead of the span axis, number or table of the station [m]", NULL},
         {"airfoil", SAR_ATTR_AIRFOIL, "", "name of an airfoil; default: a flat plate", NULL},
         {"inflow", SAR_ATTR_FORCE, "", "name of the rotor whose inflow it is in; default: none",
          NULL},
         {"points", SAR_ATTR_NUMBER, "4", "Gauss points of a panel [1]", NULL},
         {"panels", SAR_ATTR_NUMBER, "1", "equal pieces of the span [1]", NULL},
         {"lift", SAR_ATTR_CHOICE, "quasi_steady",
          "velocity at 3/4 of the chord, or at the aerodynamic centre; or delayed by the wake",
          "quasi_steady steady unsteady"},
         {"yaw", SAR_ATTR_CHOICE, "cross",
          "flow along the span: ignored, or corrected for as in the reference rotors",
          "cross corrected"},
         {"tip_loss", SAR_ATTR_NUMBER, "1",
          "share of the rotor's radius (or of the tip) beyond which there is no lift [1]", NULL},
         {"share", SAR_ATTR_SPAN, "1",
          "of the loads that it has, number or table of the station: where others have the rest "
          "[1]",
          NULL}},
    .nattr = 17,
    .example = "{strips: a, tip: 0.5, chord: 0.1}",
    // force on the body, moment about where the span axis begins, ground axes [N, N m]
    .output = {"fx", "fy", "fz", "mx", "my", "mz"},
    .noutput = 6,
    .constants = strips_constants,
    .prepare = strips_prepare,
    .ncache = 1,
    .cache = strips_cache_size,
    .states = strips_states,
    .state_name = strips_state_name,
    .start = strips_start,
    .rates = strips_rates,
    .check = check,
    .apply = apply,
    .vary = strips_vary,
    .tangent = strips_tangent,
    .loaded_tangent = strips_loaded_tangent,
    .look = strips_look,
    .section = strips_section,
};

bool sar_is_strips(const SarModel* m, int force) {
  return m->force_kind[force] == &sar_force_strips;
}
