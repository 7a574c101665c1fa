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
