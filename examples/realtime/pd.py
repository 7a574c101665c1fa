#!/usr/bin/env python3
"""Fake hardware: a PD controller in a process of its own.

    sarrus rt arm.yaml --rate 1000 --shm arm &        sarrus rt arm.yaml --rate 1000 --udp 7000 &
    ./pd.py --shm arm                                 ./pd.py --udp 7000
"""
import argparse
import time

from sarrus_rt import Absent, Shm, Udp

STIFFNESS, DAMPING = 120, 14  # N m/rad, N m s/rad


def law(y, target):
    return STIFFNESS * (target - y["shoulder.q"]) - DAMPING * y["shoulder.v"]


def over_shm(name, target, until):
    while True:
        try:
            rig = Shm(name)
            break
        except Absent:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)
    answers = 0
    for y in rig:
        rig.send({"torque": law(y, target)})
        answers += 1
        if time.monotonic() > until:
            break
    return answers


def over_udp(port, target, until):
    rig = Udp(port)
    answers = misses = 0
    while time.monotonic() < until and misses < 4:
        y = rig.receive()
        misses = misses + 1 if y is None else 0
        if y is not None:
            rig.send({"torque": law(y, target)})
            answers += 1
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shm", metavar="NAME")
    parser.add_argument("--udp", metavar="PORT", type=int)
    parser.add_argument("--target", metavar="RAD", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=1e9)
    args = parser.parse_args()
    until = time.monotonic() + args.seconds
    answers = over_udp(args.udp, args.target, until) if args.udp else over_shm(args.shm or "arm", args.target, until)
    print(answers, "answers")


if __name__ == "__main__":
    main()
