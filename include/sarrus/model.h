/* The model: load it and look at it. */
#pragma once
#include <sarrus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SarModel SarModel;

/* One override of a parameter of the model file, as --set does on the command line. */
typedef struct SarParameter {
  const char* name;
  double value;
} SarParameter;

/* A text that stands for a file: what an include: of this name means in a model from memory. */
typedef struct SarTextFile {
  const char* name; /* "parts/wheel.yaml", relative to the model's own name */
  const char* text;
  size_t size;
} SarTextFile;

/* A column in addition to those of the file: an expression as in `outputs: [{value: ..., name:
 * ...}]`. */
typedef struct SarExpression {
  const char* name; /* of the column */
  const char* text;
} SarExpression;

/* A function of the program's own that a model calls at the instants of a sampled block,
 * `signals: {u: {call: [target - arm.q, arm.v], function: pd, period: 1e-3}}` (docs/controls.md).
 * `states` are numbers that it keeps from call to call: they are part of the state of the run,
 * copied and saved with it, so it must keep nothing elsewhere.  It may be called again for an
 * instant that is repeated, and by several runs at a time.  What is not 0 ends the run.  Counts are
 * those of the model file, or -1: whatever it says. */
typedef struct SarUserFunction {
  const char* name;
  int inputs, states, outputs;
  int (*call)(void* context, double t, const double* inputs, double* states, double* outputs);
  void* context; /* the first argument */
} SarUserFunction;

/* How to read a model.  Zeros and NULLs are the defaults: SarLoadOptions o = {0}, then edit. */
typedef struct SarLoadOptions {
  const SarParameter* parameters; /* Nullable */
  int parameter_count;
  const char* const* search_paths; /* for include: and package://; Nullable */
  int search_path_count;
  const char* coordinates; /* "relative" (tree and loop closures), "absolute" (each body its own) or
                              "mixed" (platforms their own); "auto": the model file's, else mixed;
                              NULL: the model file's, else relative */
  const SarTextFile* files; /* of a model from memory; Nullable */
  int file_count;
  bool keep_fixed; /* fixed joints stay joints of the tree, and sar_reaction knows what they carry;
                      else the bodies they join are one body to the dynamics (the same motion,
                      sooner) */
  /* called with every file that is read: the model, includes, tables, meshes; Nullable */
  void (*on_file)(void* context, const char* path);
  void* on_file_context;
  /* bytes; 0: 1e9.  Reading and compiling take no more, and neither do the model, one state and one
   * simulation together: what would is SAR_OVER_LIMIT, with a message that says where and for what
   */
  size_t memory_limit;
  const SarExpression* columns; /* Nullable */
  int column_count;
  const SarUserFunction*
      functions; /* Nullable; the model copies them, not what `context` points to */
  int function_count;
  const char*
      key; /* the start of the model: one of its keys (named starts); NULL: the file's own */
} SarLoadOptions;

/* Reads FILE.yaml, .yml, .json, .urdf, .sdf or .xml (MJCF) and compiles it.  `o` Nullable.  On
 * failure *out is NULL and err holds every message found.  Warnings (unknown URDF tags, say) are
 * left in err on success too. */
SAR_API SarStatus sar_model_load_sized(const char* path, const SarLoadOptions* o, size_t size,
                                       SarModel** out, SarError* err);
static inline SarStatus sar_model_load(const char* path, const SarLoadOptions* o, SarModel** out,
                                       SarError* err) {
  return sar_model_load_sized(path, o, sizeof *o, out, err);
}

/* The same from memory.  `format` is "yaml", "urdf", "mjcf" or "sdf"; `name` stands for the file in
 * messages.  What the text includes is looked for in the options' files and in the search paths. */
SAR_API SarStatus sar_model_parse_sized(const char* text, size_t size, const char* format,
                                        const char* name, const SarLoadOptions* o,
                                        size_t options_size, SarModel** out, SarError* err);
static inline SarStatus sar_model_parse(const char* text, size_t size, const char* format,
                                        const char* name, const SarLoadOptions* o, SarModel** out,
                                        SarError* err) {
  return sar_model_parse_sized(text, size, format, name, o, sizeof *o, out, err);
}

SAR_API void sar_model_free(SarModel* m); /* NULL is fine */

/* What a model is made of, by kind: for counting, naming and finding. */
typedef enum SarItem {
  SAR_ITEM_BODY,  /* without ground: those of the tree, in its order, then those fixed to others */
  SAR_ITEM_JOINT, /* joint i carries body i; behind these, the joints that close loops */
  SAR_ITEM_FORCE,
  SAR_ITEM_INPUT,      /* values the host program sets before each step */
  SAR_ITEM_OUTPUT,     /* columns of the result, "arm.x", "elbow.q", "energy.total", ... */
  SAR_ITEM_POINT,      /* named points and frames, "arm.tip" */
  SAR_ITEM_CONSTRAINT, /* those of the file's `constraints`, joints that close loops among them */
  SAR_ITEM_STATE,      /* states of the file and of filter, integral, pid: x of sar_states */
  SAR_ITEM_KEY         /* named starts of the file: SarLoadOptions.key */
} SarItem;

/* How many there are; the name of one; the index of a name. */
SAR_API int sar_model_count(const SarModel* m, SarItem kind);
SAR_API const char* sar_model_name(const SarModel* m, SarItem kind, int index);
SAR_API int sar_model_find(const SarModel* m, SarItem kind, const char* name);
/* Unit of an input, as the file says it, or of an output: "N m", "rad/s"; "": not known; NULL:
 * there is no such item. */
SAR_API const char* sar_model_unit(const SarModel* m, SarItem kind, int index);
/* What the file says an input should stay between; infinite where it says nothing. The engine does
 * not bound it. */
SAR_API SarStatus sar_input_range(const SarModel* m, int input, double* least, double* most);
/* Are two models alike: the same names of all these kinds in the same order, as many coordinates
 * and equations, and only other numbers?  Those of one file with other parameters are, unless a
 * parameter changes the topology. */
SAR_API bool sar_model_is_like(const SarModel* a, const SarModel* b);
/* Coordinates of the tree: nq of position (quaternions count 4), nv of velocity. */
SAR_API int sar_model_nq(const SarModel* m);
SAR_API int sar_model_nv(const SarModel* m);
/* The same with those of the joints that close loops: the lengths of sar_q, sar_v, sar_a, sar_tau.
 */
SAR_API int sar_model_nq_all(const SarModel* m);
SAR_API int sar_model_nv_all(const SarModel* m);

/* The model as a whole, and what its `simulation` block says. */
typedef struct SarModelInfo {
  const char* name;
  bool absolute;                        /* coordinates: each body its own */
  const char* plane;                    /* "xy", "xz", "yz": all motion is in it; "": it is not */
  bool contact;                         /* there are solids that may touch */
  int equations;                        /* of constraints, switched on or not */
  double mass;                          /* kg; of all bodies */
  size_t bytes;                         /* that the model takes */
  size_t memory_limit;                  /* SarLoadOptions */
  double end, step, output_step;        /* s; 0: not given */
  const char *formulation, *integrator; /* NULL: not given */
  int platforms; /* mixed coordinates: bodies with their own though joints carry them */
} SarModelInfo;

SAR_API SarStatus sar_model_info_sized(const SarModel* m, SarModelInfo* out, size_t size);
static inline SarStatus sar_model_info(const SarModel* m, SarModelInfo* out) {
  return sar_model_info_sized(m, out, sizeof *out);
}
/* kg; with the bodies that are fixed to it and of one piece with it. */
SAR_API double sar_body_mass(const SarModel* m, int body);

typedef struct SarConstraintInfo {
  const char* name;
  const char* kind; /* "rod", "revolute" (a joint that closes a loop), "mimic", ... */
  int equations;    /* without */
  int identical;    /* those that hold at every position of the tree */
  bool drive;       /* it prescribes a motion */
} SarConstraintInfo;

SAR_API SarStatus sar_constraint_info_sized(const SarModel* m, int constraint,
                                            SarConstraintInfo* out, size_t size);
static inline SarStatus sar_constraint_info(const SarModel* m, int constraint,
                                            SarConstraintInfo* out) {
  return sar_constraint_info_sized(m, constraint, out, sizeof *out);
}
/* SAR_BAD_MODEL, with places in err: the `simulation` block names what there is not. */
SAR_API SarStatus sar_model_check(const SarModel* m, SarError* err);
/* A number as model files have them: "2.5", "30 deg", "2*pi".  SAR_BAD_ARGUMENT: it is none. */
SAR_API SarStatus sar_parse_number(const char* text, double* out);

/* What a joint is to the tree that the dynamics run along. */
typedef enum SarJointRole {
  SAR_JOINT_TREE,  /* its coordinates are unknowns of the equations */
  SAR_JOINT_FIXED, /* makes two bodies one; no coordinates */
  SAR_JOINT_LOOP   /* closes a loop: its coordinates follow from those of the tree.  In absolute
                      coordinates all joints of the file, and each body is carried by a tree joint of
                      its own with six (or three) freedoms */
} SarJointRole;

/* Where a joint's coordinates live: q[qadr .. qadr+nq), v[vadr .. vadr+nv).  Those of
 * SAR_JOINT_LOOP stand behind those of the tree; a force written there in sar_tau acts on the
 * joint's two bodies. */
typedef struct SarJointInfo {
  const char* name;
  const char* kind; /* "revolute", ... */
  int body;         /* the body it carries in the tree; SAR_JOINT_LOOP: its child in the file */
  int parent;       /* the body it hangs on, or its parent in the file; -1 = ground */
  int qadr, nq, vadr, nv;
  bool turned; /* the tree runs against the file's direction: q and v are the tree's way round, what
                  sar_joint_get and sar_joint_set take is the file's */
  SarJointRole role;
} SarJointInfo;

SAR_API SarStatus sar_joint_info_sized(const SarModel* m, int joint, SarJointInfo* out,
                                       size_t size);
static inline SarStatus sar_joint_info(const SarModel* m, int joint, SarJointInfo* out) {
  return sar_joint_info_sized(m, joint, out, sizeof *out);
}

/* Limits of a joint's coordinates as the file gives them, nv values each, infinite where there is
 * none; each array Nullable.  Formulations by impulses enforce lower and upper; the rest is for the
 * host program. */
SAR_API SarStatus sar_joint_limits(const SarModel* m, int joint, double* lower, double* upper,
                                   double* speed, double* effort);

#ifdef __cplusplus
}
#endif
