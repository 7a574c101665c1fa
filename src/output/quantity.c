// What a column of results measures (quantity.h).
#include "output/quantity.h"

#include <fnmatch.h>
#include <stddef.h>

typedef struct Rule {
  const char* pattern;
  const char* label;
} Rule;

static const Rule rules[] = {
    {"energy.error", "energy error [J]"},
    {"work.*", "work [J]"},
    {"energy.*", "energy [J]"},
    {"momentum.p?", "momentum [kg m/s]"},
    {"momentum.l?", "angular momentum [kg m²/s]"},
    {"*.q", "position [rad or m]"},
    {"*.q[0-9]", "position [rad or m]"},
    {"*.q[wxyz]", "quaternion"},
    {"*.p[xyz]", "position [m]"},
    {"*.v", "speed [rad/s or m/s]"},
    {"*.v[0-9]", "speed [rad/s or m/s]"},
    {"*.a", "acceleration [rad/s² or m/s²]"},
    {"*.a[0-9]", "acceleration [rad/s² or m/s²]"},
    {"*.[xyz]", "position [m]"},
    {"*.v[xyz]", "velocity [m/s]"},
    {"*.w[xyz]", "angular velocity [rad/s]"},
    {"*.a[xyz]", "acceleration [m/s²]"},
    {"*.f[xyz]", "force [N]"},
    {"*.t[xyz]", "torque [N m]"},
    {"*.power", "power [W]"},
    {"*.energy", "energy [J]"},
    {"*.work", "work [J]"},
    {"*.length", "length [m]"},
    {"*.tension", "force [N]"},
};

const char* sar_quantity_of(const char* column) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (fnmatch(rules[i].pattern, column, 0) == 0) return rules[i].label;
  return column;
}
