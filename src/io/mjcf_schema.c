// The table of mjcf_schema.h: the public schema of MJCF
// (https://mujoco.readthedocs.io/en/stable/XMLreference.html), with what older versions had
// besides.
//
// Idle is what plays no part in the motion of ideal constraints integrated by Sarrus' own methods:
// colours, textures and cameras; softness (solref, solimp); the choice and the bounds of MuJoCo's
// algorithms; sizes of its buffers; noise, which MuJoCo does not apply itself; numbers of the
// user's own.
#include "io/mjcf_schema.h"

#include <string.h>

#define POSE "pos quat axisangle xyaxes zaxis euler "
#define NAMED "name class "
#define SOFT "solref solimp "
#define SENSOR_IDLE "noise user "
#define SENSOR_LEFT "nsample=0 interp delay=0 interval=0 cutoff=0"
#define MIXING "solmix solref solimp "
// what actuators have in common
#define ACTS \
  NAMED "ctrlrange ctrllimited forcerange forcelimited gear joint jointinparent tendon site "
#define ACTS_IDLE "group user lengthrange "
#define ACTS_LEFT \
  "nsample=0 interp delay=0 damping=0 armature=0 cranklength cranksite slidersite refsite "
#define TENDON NAMED "limited range frictionloss stiffness springlength damping "
#define TENDON_IDLE "group user solreflimit solimplimit solreffriction solimpfriction "
#define TENDON_LEFT "margin=0 armature=0 actuatorfrcrange actuatorfrclimited"
#define PLUGIN(within) \
  { within, "plugin", MJCF_LEFT, "", "", "" }
#define SENSOR(name, of) \
  { "sensor", name, MJCF_TAKEN, "name " of, SENSOR_IDLE, SENSOR_LEFT }
#define NO_SENSOR(name) \
  { "sensor", name, MJCF_LEFT, "", "", "" }
#define FRAME_OF "objtype objname reftype refname"

// clang-format off
static const MjcfTag TAGS[] = {
    {"", "mujoco", MJCF_TAKEN, "model", "", ""},
    {"mujoco", "option", MJCF_TAKEN, "gravity timestep",
     "apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance magnetic "
     "o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations "
     "ccd_iterations mpr_iterations sdf_iterations sdf_initpoints",
     "density=0 viscosity=0 wind=0 collision=all actuatorgroupdisable"},
    {"option", "flag", MJCF_TAKEN,
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl actuation",
     "warmstart refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd energy fwdinv invdiscrete sleep "
     "diagexact sensornoise",
     "filterparent=enable override=disable"},
    {"mujoco", "compiler", MJCF_TAKEN,
     "autolimits boundmass boundinertia balanceinertia strippath coordinate angle eulerseq meshdir inertiafromgeom "
     "inertiagrouprange assetdir",
     "texturedir convexhull discardvisual usethread fusestatic exactmeshinertia saveinertial conflict",
     "settotalmass=-1 fitaabb=false alignfree=false"},
    {"compiler", "lengthrange", MJCF_IDLE, "",
     "mode useexisting uselimit accel maxforce timeconst timestep inttotal inteval interval tolrange", ""},
    {"mujoco", "size", MJCF_IDLE, "",
     "memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon "
     "nuser_actuator nuser_sensor", ""},
    {"mujoco", "statistic", MJCF_IDLE, "", "meaninertia meanmass meansize extent center", ""},

    {"mujoco", "asset", MJCF_TAKEN, "", "", ""},
    {"asset", "mesh", MJCF_TAKEN, NAMED "file scale",
     "content_type normal texcoord smoothnormal maxhullvert material",
     "vertex face builtin params refpos=0 refquat inertia=exact"},
    PLUGIN("mesh"),
    {"asset", "hfield", MJCF_IDLE, "", "name content_type file nrow ncol size elevation", ""},
    {"asset", "skin", MJCF_IDLE, "", "name file material rgba inflate vertex texcoord face group", ""},
    {"skin", "bone", MJCF_IDLE, "", "body bindpos bindquat vertid vertweight", ""},
    {"asset", "texture", MJCF_IDLE, "",
     "name class type colorspace content_type file gridsize gridlayout fileright fileleft fileup filedown filefront "
     "fileback builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel", ""},
    {"asset", "material", MJCF_IDLE, "",
     "name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba", ""},
    {"material", "layer", MJCF_IDLE, "", "texture role", ""},
    {"asset", "model", MJCF_LEFT, "", "", ""},

    {"mujoco", "worldbody", MJCF_TAKEN, NAMED "childclass", "", ""},
    {"body", "body", MJCF_TAKEN, "name childclass gravcomp " POSE, "user sleep simple", "mocap=false"},
    {"body", "frame", MJCF_TAKEN, "name childclass " POSE, "", ""},
    {"body", "inertial", MJCF_TAKEN, "mass diaginertia fullinertia " POSE, "", ""},
    {"body", "joint", MJCF_TAKEN,
     NAMED "type pos axis limited actuatorfrclimited stiffness range actuatorfrcrange ref springref armature damping "
     "frictionloss",
     "group user solreflimit solimplimit solreffriction solimpfriction",
     "springdamper=0 actuatorgravcomp=false margin=0"},
    {"body", "freejoint", MJCF_TAKEN, "name", "group", "align=false"},
    {"body", "geom", MJCF_TAKEN,
     NAMED "type contype conaffinity condim group size friction mass density fromto mesh " POSE,
     "material rgba user hfield " MIXING,
     "priority=0 shellinertia=false margin=0 gap=0 surfacevel=0 adhesion=0 fitscale fluidshape=none fluidcoef"},
    PLUGIN("geom"),
    {"body", "attach", MJCF_LEFT, "", "", ""},
    {"body", "replicate", MJCF_LEFT, "", "", ""},
    {"body", "site", MJCF_TAKEN, NAMED "fromto " POSE, "type group material size rgba user", ""},
    {"body", "camera", MJCF_IDLE, "",
     NAMED "projection orthographic fovy ipd resolution output mode target focal focalpixel principal principalpixel sensorsize "
     "user " POSE, ""},
    {"body", "light", MJCF_IDLE, "",
     NAMED "directional type castshadow active pos dir bulbradius intensity range attenuation cutoff softness exponent "
     "ambient diffuse specular mode target texture", ""},
    PLUGIN("body"),
    {"body", "composite", MJCF_LEFT, "", "", ""},
    {"body", "flexcomp", MJCF_LEFT, "", "", ""},
    {"mujoco", "deformable", MJCF_LEFT, "", "", ""},

    {"mujoco", "contact", MJCF_TAKEN, "", "", ""},
    {"contact", "pair", MJCF_LEFT, "", "", ""},
    {"contact", "exclude", MJCF_TAKEN, "name body1 body2", "", ""},

    {"mujoco", "equality", MJCF_TAKEN, "", "", ""},
    {"equality", "connect", MJCF_TAKEN, NAMED "active body1 body2 anchor site1 site2", SOFT, ""},
    {"equality", "weld", MJCF_TAKEN, NAMED "active body1 body2 anchor site1 site2", SOFT "torquescale", "relpose"},
    {"equality", "joint", MJCF_TAKEN, NAMED "active joint1 joint2 polycoef", SOFT, ""},
    {"equality", "tendon", MJCF_LEFT, "", "", ""},
    {"equality", "flex", MJCF_LEFT, "", "", ""},
    {"equality", "flexvert", MJCF_LEFT, "", "", ""},
    {"equality", "flexstrain", MJCF_LEFT, "", "", ""},

    {"mujoco", "tendon", MJCF_TAKEN, "", "", ""},
    {"tendon", "fixed", MJCF_TAKEN, TENDON, TENDON_IDLE, TENDON_LEFT},
    {"fixed", "joint", MJCF_TAKEN, "joint coef", "", ""},
    {"tendon", "spatial", MJCF_TAKEN, TENDON, TENDON_IDLE "width material rgba", TENDON_LEFT},
    {"spatial", "site", MJCF_TAKEN, "site", "", ""},
    {"spatial", "geom", MJCF_TAKEN, "geom sidesite", "", ""},
    {"spatial", "pulley", MJCF_TAKEN, "divisor", "", ""},

    {"mujoco", "actuator", MJCF_TAKEN, "", "", ""},
    {"actuator", "general", MJCF_TAKEN,
     ACTS "actrange actlimited dyntype gaintype biastype dynprm gainprm biasprm", ACTS_IDLE "actearly",
     ACTS_LEFT "body actdim input velrange ffrange"},
    {"actuator", "motor", MJCF_TAKEN, ACTS, ACTS_IDLE, ACTS_LEFT},
    {"actuator", "position", MJCF_TAKEN, ACTS "kp kv timeconst inheritrange", ACTS_IDLE, ACTS_LEFT "dampratio=0"},
    {"actuator", "velocity", MJCF_TAKEN, ACTS "kv", ACTS_IDLE, ACTS_LEFT},
    {"actuator", "intvelocity", MJCF_TAKEN, ACTS "actrange actlimited kp kv inheritrange", ACTS_IDLE,
     ACTS_LEFT "dampratio=0"},
    {"actuator", "damper", MJCF_TAKEN, ACTS "kv", ACTS_IDLE, ACTS_LEFT},
    {"actuator", "cylinder", MJCF_TAKEN, ACTS "timeconst area diameter bias", ACTS_IDLE, ACTS_LEFT},
    {"actuator", "orientation", MJCF_LEFT, "", "", ""},
    {"actuator", "pid", MJCF_LEFT, "", "", ""},
    {"actuator", "muscle", MJCF_LEFT, "", "", ""},
    {"actuator", "adhesion", MJCF_LEFT, "", "", ""},
    {"actuator", "dcmotor", MJCF_LEFT, "", "", ""},
    PLUGIN("actuator"),

    {"mujoco", "sensor", MJCF_TAKEN, "", "", ""},
    SENSOR("touch", "site"),
    SENSOR("accelerometer", "site"),
    SENSOR("velocimeter", "site"),
    SENSOR("gyro", "site"),
    SENSOR("force", "site"),
    SENSOR("torque", "site"),
    SENSOR("jointpos", "joint"),
    SENSOR("jointvel", "joint"),
    SENSOR("ballquat", "joint"),
    SENSOR("ballangvel", "joint"),
    SENSOR("tendonpos", "tendon"),
    SENSOR("tendonvel", "tendon"),
    SENSOR("actuatorpos", "actuator"),
    SENSOR("actuatorvel", "actuator"),
    SENSOR("actuatorfrc", "actuator"),
    SENSOR("framepos", FRAME_OF),
    SENSOR("framequat", FRAME_OF),
    SENSOR("framexaxis", FRAME_OF),
    SENSOR("frameyaxis", FRAME_OF),
    SENSOR("framezaxis", FRAME_OF),
    SENSOR("framelinvel", FRAME_OF),
    SENSOR("frameangvel", FRAME_OF),
    SENSOR("subtreecom", "body"),
    SENSOR("subtreelinvel", "body"),
    SENSOR("clock", ""),
    NO_SENSOR("framelinacc"),
    NO_SENSOR("frameangacc"),
    NO_SENSOR("subtreeangmom"),
    NO_SENSOR("magnetometer"),
    NO_SENSOR("rangefinder"),
    NO_SENSOR("camprojection"),
    NO_SENSOR("jointactuatorfrc"),
    NO_SENSOR("tendonactuatorfrc"),
    NO_SENSOR("jointlimitpos"),
    NO_SENSOR("jointlimitvel"),
    NO_SENSOR("jointlimitfrc"),
    NO_SENSOR("tendonlimitpos"),
    NO_SENSOR("tendonlimitvel"),
    NO_SENSOR("tendonlimitfrc"),
    NO_SENSOR("insidesite"),
    NO_SENSOR("distance"),
    NO_SENSOR("normal"),
    NO_SENSOR("fromto"),
    NO_SENSOR("contact"),
    NO_SENSOR("e_potential"),
    NO_SENSOR("e_kinetic"),
    NO_SENSOR("tactile"),
    NO_SENSOR("user"),
    PLUGIN("sensor"),
    {"mujoco", "keyframe", MJCF_TAKEN, "", "", ""},
    {"keyframe", "key", MJCF_TAKEN, "name qpos qvel act ctrl", "", "time=0 mpos mquat"},

    {"mujoco", "visual", MJCF_IDLE, "", "", ""},
    {"visual", "global", MJCF_IDLE, "",
     "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime ellipsoidinertia bvactive", ""},
    {"visual", "quality", MJCF_IDLE, "", "shadowsize offsamples numslices numstacks numquads", ""},
    {"visual", "headlight", MJCF_IDLE, "", "ambient diffuse specular active", ""},
    {"visual", "map", MJCF_IDLE, "",
     "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon", ""},
    {"visual", "scale", MJCF_IDLE, "",
     "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength "
     "actuatorwidth framelength framewidth constraint slidercrank frustum", ""},
    {"visual", "rgba", MJCF_IDLE, "",
     "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect "
     "contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank crankbroken "
     "frustum bv bvactive", ""},

    {"mujoco", "default", MJCF_TAKEN, "class", "", ""},
    {"default", "default", MJCF_TAKEN, "class", "", ""},
    {"default", "equality", MJCF_TAKEN, "active", SOFT, ""},
    {"default", "tendon", MJCF_TAKEN, TENDON, TENDON_IDLE "width material rgba", TENDON_LEFT},
    {"mujoco", "custom", MJCF_IDLE, "", "", ""},
    {"custom", "numeric", MJCF_IDLE, "", "name size data", ""},
    {"custom", "text", MJCF_IDLE, "", "name data", ""},
    {"custom", "tuple", MJCF_IDLE, "", "name", ""},
    {"tuple", "element", MJCF_IDLE, "", "objtype objname prm", ""},
    {"mujoco", "extension", MJCF_LEFT, "", "", ""},
};
// clang-format on

const MjcfTag* sar_mjcf_tag(int index) {
  return index >= 0 && (size_t)index < sizeof TAGS / sizeof *TAGS ? &TAGS[index] : NULL;
}

// What a <default> holds are tags of other sections.
static bool may_stand(const MjcfTag* t, const char* within) {
  static const char* const set[] = {"body", "asset", "contact", "actuator", "default"};
  if (strcmp(t->within, within) == 0) return true;
  if (strcmp(within, "default") != 0 || strcmp(t->name, "body") == 0) return false;
  for (size_t i = 0; i < sizeof set / sizeof *set; i++)
    if (strcmp(t->within, set[i]) == 0) return true;
  return false;
}

const MjcfTag* sar_mjcf_tag_find(const char* within, const char* name) {
  for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++)
    if (strcmp(TAGS[i].name, name) == 0 && may_stand(&TAGS[i], within)) return &TAGS[i];
  return NULL;
}

const char* sar_mjcf_section(const XmlTag* tag) {
  static const char* const bodies[] = {"worldbody", "frame", "replicate"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
    if (strcmp(tag->name, bodies[i]) == 0) return "body";
  return tag->name;
}

// ---- lists of words --------------------------------------------------------------------------

// The word at `at`, up to a blank; its name ends at `name`.
static size_t word_at(const char* at, size_t* name) {
  const size_t n = strcspn(at, " ");
  *name = strcspn(at, " =");
  return n;
}

static bool holds(const char* list, const char* word, const char* value) {
  const size_t n = strlen(word);
  for (const char* at = list; *at;) {
    size_t name;
    const size_t all = word_at(at, &name);
    // of a value that is as good as none it is not held
    const bool neutral = value && all > name && strlen(value) == all - name - 1 &&
                         strncmp(value, at + name + 1, all - name - 1) == 0;
    if (name == n && strncmp(at, word, n) == 0) return !neutral;
    at += all + strspn(at + all, " ");
  }
  return false;
}

bool sar_mjcf_word_of(const char* list, int index, char* out, size_t size) {
  for (const char* at = list; *at; index--) {
    size_t name;
    const size_t all = word_at(at, &name);
    if (index == 0) {
      const size_t n = name < size ? name : size - 1;
      memcpy(out, at, n);
      out[n] = '\0';
      return true;
    }
    at += all + strspn(at + all, " ");
  }
  return false;
}

// Zeros are one value, however many and however they are written.
static const char* as_compared(const char* value) {
  return value[0] && strspn(value, "0. \t\r\n+-") == strlen(value) && strchr(value, '0') ? "0"
                                                                                         : value;
}

MjcfFate sar_mjcf_fate(const MjcfTag* of, const char* attribute, const char* value) {
  if (holds(of->taken, attribute, NULL)) return MJCF_TAKEN;
  if (holds(of->idle, attribute, NULL)) return MJCF_IDLE;
  if (!holds(of->left, attribute, NULL)) return MJCF_UNKNOWN;
  return holds(of->left, attribute, as_compared(value)) ? MJCF_LEFT : MJCF_IDLE;
}
