#!/usr/bin/env python3
"""Writes a reference case (JSON, maximal coordinates) as a Sarrus model file.

    tools/reference_to_yaml.py CASE.json > tests/models/reference/CASE.yaml

Bodies get their frame at the mass centre, joints are placed by hardpoints (ground coordinates at the
initial pose, which becomes the design position: every joint coordinate starts at zero, as the angles
of the reference do). Displacements of the reference count from the joint point of the first body, so
they differ from ours by their initial value. Initial speeds of joints come from the velocities of the
bodies; a body that no joint carries keeps its own. Loops need nothing special.

The JSON: gravity, t_end, n_out; bodies {name, mass, inertia_com, position, quat_wxyz, velocity,
angular_velocity_world}; joints {name, type, body_i, body_j, point_i, point_j, axis_i, axis_world_t0,
axis2_world_t0}; forces; outputs. What cannot be written as a model file ends the program.
"""
import json
import sys

SNAP = 1e-15  # numbers this near to one of at most 12 decimals are that number plus rounding


def fail(text):
    sys.exit("reference_to_yaml: " + text)


# ---- vectors ----------------------------------------------------------------------------------


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotate(quat, v):
    """v_world = q v_body q*, quaternion w x y z."""
    w, u = quat[0], quat[1:]
    t = [2 * x for x in cross(u, v)]
    return add(add(v, [w * x for x in t]), cross(u, t))


# ---- numbers and lists as YAML ----------------------------------------------------------------


def snap(x):
    x = float(x)
    near = round(x, 12)
    return near if abs(x - near) <= SNAP else x


def number(x):
    x = snap(x)
    return repr(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)


def vector(v):
    return "[" + ", ".join(number(x) for x in v) + "]"


def is_zero(v):
    return all(snap(x) == 0 for x in v)


def direction(v):
    for name, unit in zip("xyz", ([1, 0, 0], [0, 1, 0], [0, 0, 1])):
        for sign, prefix in ((1, ""), (-1, "-")):
            if is_zero(sub(v, [sign * x for x in unit])):
                return prefix + name
    return vector(v)


def mapping(pairs):
    return "{" + ", ".join("%s: %s" % pair for pair in pairs) + "}"


def quoted(text):
    """Text that YAML could take for something else."""
    return '"%s"' % text if any(c in text for c in ":{}[],#&*?|>%@`'") else text


def expression(value):
    if isinstance(value, dict):
        # the last piece holds to the end of time
        pieces = value["piecewise"]
        parts = ["t < %s, %s" % (number(p["until"]), p["expr"]) for p in pieces[:-1]]
        return '"piecewise(%s)"' % ", ".join(parts + [str(pieces[-1]["expr"])])
    try:
        return number(value)
    except ValueError:
        return quoted(str(value))


# ---- the case ---------------------------------------------------------------------------------


class Body:
    def __init__(self, j=None):
        j = j or {}
        self.name = j.get("name", "ground")
        self.position = j.get("position", [0, 0, 0])
        self.quat = j.get("quat_wxyz", [1, 0, 0, 0])
        self.velocity = j.get("velocity", [0, 0, 0])
        self.omega = j.get("angular_velocity_world", [0, 0, 0])
        self.json = j

    def point(self, p):
        return add(self.position, rotate(self.quat, p))

    def point_velocity(self, p):
        return add(self.velocity, cross(self.omega, rotate(self.quat, p)))


def inertia(m):
    diagonal = [m[0][0], m[1][1], m[2][2]]
    products = [m[0][1], m[0][2], m[1][2]]
    return vector(diagonal if is_zero(products) else diagonal + products)


def body_line(body, carried):
    j = body.json
    pairs = [("at", vector(body.position))]
    if not is_zero(sub(body.quat, [1, 0, 0, 0])):
        pairs.append(("quat", vector(body.quat)))
    pairs += [("mass", number(j["mass"])), ("inertia", inertia(j["inertia_com"]))]
    if not carried:
        if not is_zero(body.velocity):
            pairs.append(("velocity", vector(body.velocity)))
        if not is_zero(body.omega):
            pairs.append(("angular_velocity", vector(body.omega)))
    return "  %s: %s" % (body.name, mapping(pairs))


def joint_speed(j, a, b, axis, axis2):
    """Speeds of body_j relative to body_i; at the design position joint frames have ground axes."""
    w = sub(b.omega, a.omega)
    slip = sub(b.point_velocity(j["point_j"]), a.point_velocity(j["point_i"]))
    offset = sub(b.point(j["point_j"]), a.point(j["point_i"]))
    slip = sub(slip, cross(a.omega, offset))  # as seen from body_i
    return {
        "fixed": lambda: [],
        "revolute": lambda: [dot(axis, w)],
        "prismatic": lambda: [dot(axis, slip)],
        "cylindrical": lambda: [dot(axis, w), dot(axis, slip)],
        "universal": lambda: [dot(axis, w), dot(axis2, w)],
        "spherical": lambda: w,
    }[j["type"]]()


def spring(forces, j, start):
    """stiffness, rest and damping of a joint; cylindrical: angle first, then displacement."""
    lists = {"stiffness": [0, 0], "rest": [0, 0], "damping": [0, 0]}
    for f in forces:
        k = 1 if f.get("on") == "displacement" else 0
        lists["stiffness"][k] += f.get("k", 0)
        lists["damping"][k] += f.get("c", 0)
        if f.get("k"):
            lists["rest"][k] = f.get("q0", 0) - (start if k else 0)
    if j["type"] != "cylindrical":
        k = 1 if j["type"] == "prismatic" else 0
        lists = {name: [values[k]] for name, values in lists.items()}
    return [(name, number(v[0]) if len(v) == 1 else vector(v))
            for name, v in lists.items() if not is_zero(v)]


def joint_line(j, bodies, forces):
    a, b = bodies[j["body_i"]], bodies[j["body_j"]]
    if j["type"] not in ("fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical"):
        fail("joint '%s': type '%s' has no counterpart" % (j["name"], j["type"]))
    at = b.point(j["point_j"])
    if max(abs(x) for x in sub(at, j["point_world_t0"])) < 1e-9:
        at = j["point_world_t0"]
    pairs = [(j["type"], "[%s, %s]" % (a.name, b.name)), ("at", vector(at))]
    axis, axis2 = j.get("axis_world_t0"), j.get("axis2_world_t0")
    if axis:
        pairs.append(("axis", direction(axis)))
    if axis2:
        pairs.append(("axis2", direction(axis2)))
    speed = joint_speed(j, a, b, axis, axis2)
    if not is_zero(speed):
        pairs.append(("speed", number(speed[0]) if len(speed) == 1 else vector(speed)))
    of_joint = [f for f in forces if f.get("joint") == j["name"]]
    start = dot(axis, sub(b.point(j["point_j"]), a.point(j["point_i"]))) if axis else 0
    pairs += spring([f for f in of_joint if f["type"] == "joint_spring_damper"], j, start)
    drives = [f for f in of_joint if f["type"] in ("joint_torque", "joint_force")]
    if drives and j["type"] == "cylindrical":
        values = {f["type"]: expression(f["value"]) for f in drives}
        pairs.append(("force", "[%s, %s]" % (values.get("joint_torque", 0),
                                             values.get("joint_force", 0))))
    elif drives:
        pairs.append(("force", expression(drives[0]["value"])))
    if len(drives) > (2 if j["type"] == "cylindrical" else 1):
        fail("joint '%s': several forces on one coordinate" % j["name"])
    return "  %s: %s" % (j["name"], mapping(pairs))


def force_line(number_of, f):
    def point(body, p):
        return "[%s, %s]" % (body, vector(p))

    name = "%s%d" % ({"point_force": "push", "body_torque": "twist"}.get(f["type"], "spring"), number_of)
    if f["type"] == "point_force":
        value = "[" + ", ".join(expression(x) for x in f["value"]) + "]"
        pairs = [("force", point(f["body"], f["point"])), ("value", value)]
    elif f["type"] == "body_torque":
        value = "[" + ", ".join(expression(x) for x in f["value"]) + "]"
        frame = "body" if f.get("frame") == "body" else "ground"
        pairs = [("torque", f["body"]), ("value", value), ("frame", frame)]
    elif f["type"] == "spring_damper":
        ends = "[%s, %s]" % (point(f["body_i"], f["point_i"]), point(f["body_j"], f["point_j"]))
        pairs = [("spring_damper", ends), ("stiffness", number(f.get("k", 0))),
                 ("length", number(f.get("l0", 0))), ("damping", number(f.get("c", 0)))]
    else:
        fail("force of type '%s' has no counterpart" % f["type"])
    return "  %s: %s" % (name, mapping(pairs))


def output_items(outputs):
    accelerations = {(o["label"], o["body"]) for o in outputs if o["kind"] == "accel"}
    items = []
    for o in outputs:
        label = ("name", o["label"])
        if o["kind"] == "point":
            pairs = [("point", "[%s, %s]" % (o["body"], vector(o["point"]))), label]
            if (o["label"], o["body"]) in accelerations:
                pairs.append(("with", "[position, velocity, acceleration]"))
            items.append(mapping(pairs))
        elif o["kind"] in ("angle", "displacement"):
            items.append(mapping([("joint", o["joint"]), label]))
        elif o["kind"] == "omega":
            items.append(mapping([("omega", o["body"]), label]))
        elif o["kind"] == "reaction":
            items.append(mapping([("reaction", o["joint"]), label]))
        elif o["kind"] == "energy":
            items.append("energy")
        elif o["kind"] != "accel":
            fail("output of kind '%s' has no counterpart" % o["kind"])
    return list(dict.fromkeys(items))  # angle and displacement of one joint are one item


def convert(case):
    if not case.get("bodies"):
        fail("'%s' is not a mechanism of bodies and joints" % case.get("name"))
    if case.get("drives"):
        fail("drives have no counterpart")
    bodies = {b["name"]: Body(b) for b in case["bodies"]}
    bodies["ground"] = Body()
    joints, forces = case["joints"], case["forces"]
    carried = {j["body_j"] for j in joints}
    lines = ["# " + case["description"], "sarrus: 1", "name: " + case["name"],
             "gravity: " + vector(case["gravity"]), "bodies:"]
    lines += [body_line(bodies[b["name"]], b["name"] in carried) for b in case["bodies"]]
    if joints:
        lines.append("joints:")
        lines += [joint_line(j, bodies, forces) for j in joints]
    others = [f for f in forces if not f["type"].startswith("joint_")]
    if others:
        lines.append("forces:")
        lines += [force_line(i, f) for i, f in enumerate(others, 1)]
    step = case["t_end"] / (case["n_out"] - 1)
    lines.append("simulation: {end: %s, output_step: %s, integrator: dopri5, rtol: 1.0e-12, atol: 1.0e-12}"
                 % (number(case["t_end"]), number(step)))
    lines.append("outputs:")
    lines += ["  - " + item for item in output_items(case["outputs"])]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(convert(json.load(file)))
