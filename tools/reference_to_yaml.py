#!/usr/bin/env python3
"""Writes a reference case (JSON, maximal coordinates) as a Sarrus model file.

    tools/reference_to_yaml.py CASE.json > tests/models/reference/CASE.yaml

Bodies get their frame at the mass centre, joints are placed by hardpoints (ground coordinates at the
initial pose, which becomes the design position: every joint coordinate starts at zero, as the angles
of the reference do). Displacements of the reference count from the joint point of the first body: they
become expressions, with the name of the reference's column. Initial speeds of joints come from the
velocities of the bodies; a body that no joint carries keeps its own. Loops need nothing special. A
model whose joints and velocities all keep to the plane xy says so (`planar`).

The JSON: gravity, t_end, n_out; bodies {name, mass, inertia_com, position, quat_wxyz, velocity,
angular_velocity_world}; joints {name, type, body_i, body_j, point_i, point_j, axis_i, axis_world_t0,
axis2_world_t0}; forces; outputs. What cannot be written as a model file ends the program.
"""
import json
import sys

SNAP = 1e-15  # numbers this near to one of at most 12 decimals are that number plus rounding


# what descriptions call by number
PAPERS = [
    ("seed 000 sec.", "Cuadrado et al. 2003, sec."),
    ("the seed 001 benchmark", "the benchmark of de Falco et al. 2008"),
    ("seed 003 sec.", "Uchida and McPhee 2012, sec."),
    ("hardpoints of data/fivelink_substitute.json", "other hardpoints"),
    (", seed force", ", the paper's force"),
    ("the seed", "the paper"),
]


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


def start_of(j, bodies):
    """Displacement of the reference at the initial pose."""
    a, b = bodies[j["body_i"]], bodies[j["body_j"]]
    return dot(j["axis_world_t0"], sub(b.point(j["point_j"]), a.point(j["point_i"])))


def value_item(text, name):
    return mapping([("value", quoted(text)), ("name", name)])


def coordinate_items(o, joint, bodies):
    """Angle or displacement of a joint; under the reference's name where ours would be another."""
    label, name = o["label"], o["joint"]
    start = snap(start_of(joint, bodies)) if o["kind"] == "displacement" else 0
    if joint["type"] != "cylindrical" and start == 0:
        return [mapping([("joint", name), ("name", label)])]
    k = "" if joint["type"] != "cylindrical" else "2" if o["kind"] == "displacement" else "1"
    q, v = (".s", ".sd") if o["kind"] == "displacement" else (".q", ".qd")
    offset = " %s %s" % ("+" if start > 0 else "-", number(abs(start))) if start else ""
    return [value_item("%s.q%s%s" % (name, k, offset), label + q),
            value_item("%s.v%s" % (name, k), label + v)]


# R = Rz(phi) Ry(theta) Rx(psi) of the body's quaternion, and the rates from its angular velocity in
# ground axes: w = phid z + thetad (Rz y) + psid (Rz Ry x)
EULER321 = [
    ("phi", "atan2(2*(B.qx*B.qy + B.qw*B.qz), 1 - 2*(B.qy^2 + B.qz^2))"),
    ("theta", "asin(2*(B.qw*B.qy - B.qx*B.qz))"),
    ("psi", "atan2(2*(B.qy*B.qz + B.qw*B.qx), 1 - 2*(B.qx^2 + B.qy^2))"),
    ("phid", "B.wz + sin(theta)*psid"),
    ("thetad", "cos(phi)*B.wy - sin(phi)*B.wx"),
    ("psid", "(cos(phi)*B.wx + sin(phi)*B.wy)/cos(theta)"),
]


def variable_lines(outputs):
    bodies = [o["label"] for o in outputs if o["kind"] == "euler321"]
    if not bodies:
        return []
    return ["variables:"] + ["  %s: %s" % (name, quoted(text.replace("B.", bodies[0] + ".")))
                             for name, text in EULER321]


def euler_items(body):
    return ([value_item("%s.%s" % (body, x), x) for x in ("x", "y", "z")] +
            [value_item(x, x) for x in ("phi", "theta", "psi")] +
            [value_item("%s.%s" % (body, x), x) for x in ("vx", "vy", "vz")] +
            [value_item(x, x) for x in ("phid", "thetad", "psid")])


def output_items(outputs, joints, bodies):
    joint_of = {j["name"]: j for j in joints}
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
            items += coordinate_items(o, joint_of[o["joint"]], bodies)
        elif o["kind"] == "omega":
            items.append(mapping([("omega", o["body"]), label]))
        elif o["kind"] == "reaction":
            items.append(mapping([("reaction", o["joint"]), label]))
        elif o["kind"] == "euler321":
            items += euler_items(o["label"])
        elif o["kind"] == "energy":
            items.append("energy")
        elif o["kind"] != "accel":
            fail("output of kind '%s' has no counterpart" % o["kind"])
    return list(dict.fromkeys(items))  # angle and displacement of one joint are one item


def is_planar(case):
    """All motion in the plane xy: revolute about z, prismatic across it, velocities in it."""
    def across(v):
        return abs(v[2]) < 1e-12

    def along(v):
        return max(abs(v[0]), abs(v[1])) < 1e-12

    joints = all(j["type"] == "revolute" and along(j["axis_world_t0"]) or
                 j["type"] == "prismatic" and across(j["axis_world_t0"]) for j in case["joints"])
    return bool(case["joints"]) and joints and all(
        across(b["velocity"]) and along(b["angular_velocity_world"]) for b in case["bodies"])


def convert(case):
    if not case.get("bodies"):
        fail("'%s' is not a mechanism of bodies and joints" % case.get("name"))
    if case.get("drives"):
        fail("drives have no counterpart")
    bodies = {b["name"]: Body(b) for b in case["bodies"]}
    bodies["ground"] = Body()
    joints, forces = case["joints"], case["forces"]
    carried = {j["body_j"] for j in joints}
    description = case["description"]
    for number_of, paper in PAPERS:
        description = description.replace(number_of, paper)
    lines = ["# " + description, "sarrus: 1", "name: " + case["name"],
             "gravity: " + vector(case["gravity"])]
    if is_planar(case):
        lines.append("planar: xy")
    lines += variable_lines(case["outputs"]) + ["bodies:"]
    lines += [body_line(bodies[b["name"]], b["name"] in carried) for b in case["bodies"]]
    if joints:
        lines.append("joints:")
        lines += [joint_line(j, bodies, forces) for j in joints]
    others = [f for f in forces if not f["type"].startswith("joint_")]
    if others:
        lines.append("forces:")
        lines += [force_line(i, f) for i, f in enumerate(others, 1)]
    step = case["t_end"] / (case["n_out"] - 1)
    # a strong damper: a step that explicit methods survive
    stiff = any(f["type"] == "spring_damper" and f.get("c", 0) > 1e3 for f in forces)
    lines.append("simulation: {end: %s, %soutput_step: %s, integrator: dopri5, rtol: 1.0e-12, atol: 1.0e-12}"
                 % (number(case["t_end"]), "step: 1.0e-5, " if stiff else "", number(step)))
    lines.append("outputs:")
    lines += ["  - " + item for item in output_items(case["outputs"], joints, bodies)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(convert(json.load(file)))
