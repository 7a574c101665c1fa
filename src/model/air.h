// The air that aerodynamic elements are in, and tables of airfoils as files have them.
#pragma once
#include "model/attribute.h"

// The section `air`: attributes like those of elements, compiled to SarModel.air.
enum { SAR_AIR_DENSITY, SAR_AIR_SOUND, SAR_AIR_WIND, SAR_AIR_ALTITUDE, SAR_AIR_ATTRS };
extern const SarAttr sar_air_attr[SAR_AIR_ATTRS];
SarForm sar_air_form(void);

// Where the file says nothing: the International Standard Atmosphere at sea level.
#define SAR_AIR_USUAL_DENSITY 1.225
#define SAR_AIR_USUAL_SOUND 340.294

// One coefficient over angle and Mach number: value[angle * machs + mach].
typedef struct SarC81Table {
  int angles, machs;
  double *angle, *mach, *value;  // angles in degrees, rising; Mach numbers, rising
} SarC81Table;

enum { SAR_C81_LIFT, SAR_C81_DRAG, SAR_C81_MOMENT, SAR_C81_TABLES };
typedef struct SarC81 {
  SarC81Table table[SAR_C81_TABLES];
} SarC81;

// Numbers of an airfoil without tables, in this order.
enum {
  SAR_AIRFOIL_SLOPE,
  SAR_AIRFOIL_ZERO,
  SAR_AIRFOIL_DRAG,
  SAR_AIRFOIL_SEPARATED,
  SAR_AIRFOIL_MOMENT,
  SAR_AIRFOIL_NUMBERS
};

enum { SAR_AIRFOIL_DEGREES = 361 };

// One table of an airfoil in SarModel.attr_data: what it is made of, and how many numbers it takes.
typedef struct SarAirfoilTable {
  double *angle, *mach;          // [deg]
  double* value;                 // of an angle, one for each Mach number
  double *per_angle, *per_mach;  // 1/(distance to the next)
  double* first;                 // for each degree from -180 on: the last angle not beyond it
  double* zero;                  // values at angle 0, one for each Mach number
} SarAirfoilTable;

static inline int sar_airfoil_table_size(int angles, int machs) {
  return 2 * (angles + machs) + angles * machs + SAR_AIRFOIL_DEGREES + machs;
}
static inline SarAirfoilTable sar_airfoil_table(double* at, int angles, int machs) {
  SarAirfoilTable t = {.angle = at};
  t.mach = t.angle + angles;
  t.value = t.mach + machs;
  t.per_angle = t.value + angles * machs;
  t.per_mach = t.per_angle + angles;
  t.first = t.per_mach + machs;
  t.zero = t.first + SAR_AIRFOIL_DEGREES;
  return t;
}
