"""Prints what the windows on a bus show, as a screen reader sees it: a line for each thing, with its role, its name
and its text. With a name, it prints the middle of what has that name instead."""

import sys

import pyatspi

looked_for = sys.argv[1:]


def show(thing):
    try:
        if thing.getRole() != pyatspi.ROLE_APPLICATION and not thing.getState().contains(pyatspi.STATE_SHOWING):
            return
        line = f"{thing.getRoleName()}: {thing.name}"
        try:
            line += "\n" + thing.queryText().getText(0, -1)
        except NotImplementedError:
            pass
        if not looked_for:
            print(line)
        elif thing.name == looked_for[0]:
            at = thing.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
            print(at.x + at.width // 2, at.y + at.height // 2)
        for part in thing:
            if part:
                show(part)
    except Exception:  # it is gone meanwhile
        return


for program in pyatspi.Registry.getDesktop(0):
    show(program)
