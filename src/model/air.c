// The attributes of the air.
#include "model/air.h"

#include <stddef.h>

const SarAttr sar_air_attr[SAR_AIR_ATTRS] = {
    {"density", SAR_ATTR_SCALAR, "", "of the air [kg/m^3]; default 1.225, or by the altitude",
     NULL},
    {"sound", SAR_ATTR_SCALAR, "", "speed of sound [m/s]; default 340.294, or by the altitude",
     NULL},
    {"wind", SAR_ATTR_VECTOR, "", "velocity of the air, ground axes [m/s]; default: calm", NULL},
    {"altitude", SAR_ATTR_NUMBER, "",
     "of z = 0 above sea level [m]: density and sound by the International Standard Atmosphere at "
     "each element's height",
     NULL},
};

SarForm sar_air_form(void) {
  static const char* const none[SAR_LAW_LOCALS] = {NULL};
  return (SarForm){"air", 0, sar_air_attr, SAR_AIR_ATTRS, none};
}
