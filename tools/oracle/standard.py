"""Writes workspace/deps/standard.txt: the names of those modules of Python's standard library that
cannot be read from its sources, since they are written in C or make names as they run. The first
line is the oldest and the newest version of Python that typeshed knows; each other one is a module
or a class of builtins, and its names: those that typeshed declares for any version and platform, and
those that the given interpreters have. Run it as
python3 tools/oracle/standard.py TYPESHED OUT [PYTHON...], where TYPESHED is typeshed's folder stdlib."""

import ast
import json
import pathlib
import re
import subprocess
import sys

stubs, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
makes_names = re.compile(r"^\s*from \S+ import \*|global_enum|_convert_\(|\bglobals\(\)|^def __getattr__", re.M)
classes = "bool bytes bytearray complex dict float frozenset int list set str tuple".split()
acting = {"__main__", "_typeshed", "antigravity", "idlelib", "this", "turtledemo"}  # importing them does something

# What an interpreter has: of each module its file and names, and the members of the classes.
ask = """
import builtins, importlib, json, sys, warnings
warnings.simplefilter("ignore")
modules, classes = json.load(sys.stdin)
out = {f"builtins.{c}": ["", dir(getattr(builtins, c))] for c in classes}
for name in sorted(set(modules) | set(sys.stdlib_module_names) - set(%r) if hasattr(sys, "stdlib_module_names") else modules):
    try:
        module = importlib.import_module(name)
    except BaseException:  # of another platform
        continue
    out[name] = [getattr(module, "__file__", None) or "", dir(module)]
json.dump(out, sys.__stdout__)
""" % sorted(acting)


def declared(body, package, members):
    """The names that statements bind, under whatever condition."""
    names = set()
    for node in body:
        match node:
            case ast.ClassDef():
                names.add(node.name)
                members.setdefault(node.name, set()).update(declared(node.body, package, {}))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Assign():
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            case ast.AnnAssign():
                names.add(ast.unparse(node.target))
            case ast.If():
                names |= declared(node.body, package, members) | declared(node.orelse, package, members)
            case ast.Try():
                names |= declared(node.body, package, members)
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                names |= of_stub(f"{package}.{node.module}" if node.level else node.module)[0]
            case ast.Import() | ast.ImportFrom():  # what a stub imports is its own, unless it is named twice
                names |= {alias.asname for alias in node.names if alias.asname == alias.name}
    return names


def of_stub(module):
    at = stubs / module.replace(".", "/")
    for file, package in ((at.with_suffix(".pyi"), module.rpartition(".")[0]), (at / "__init__.pyi", module)):
        if file.exists():
            members = {}
            return declared(ast.parse(file.read_text()).body, package, members), members
    return set(), {}


def unreadable(file):
    """Whether the names of a module are not all written in its source."""
    return not file.endswith(".py") or bool(makes_names.search(pathlib.Path(file).read_text("utf-8")))


asked = json.dumps([sorted({f.stem for f in stubs.glob("*.pyi")} - acting), classes])
interpreters = []
for python in sys.argv[3:] or [sys.executable]:
    answer = subprocess.run([python, "-c", ask], input=asked, capture_output=True, text=True)
    interpreters.append(json.loads(answer.stdout[answer.stdout.index('{"builtins.') :]))

# The version that something was last added in or removed after. Of those before 3.9 typeshed drops what is gone.
newest = max(re.findall(r"\b3\.\d+", (stubs / "VERSIONS").read_text()), key=lambda v: int(v[2:]))
lines = [f"3.9 {newest}"]
for name in sorted({m for i in interpreters for m in i} | {f.stem for f in stubs.glob("*.pyi")} - acting):
    found = [i[name] for i in interpreters if name in i]
    if name[0] == "_" or found and not any(unreadable(file) for file, _ in found):
        continue
    module, _, of = name.partition(".")
    names, members = of_stub(module)
    if of:
        names = members[of] | (members["int"] if of == "bool" else set())
    names = names.union(*(has for _, has in found))
    # Names that begin with _, modules' too, are no part of what is promised, and are not judged.
    names = sorted(n for n in names if n.isidentifier() and n[0] != "_")
    if names:
        lines.append(" ".join([name, *names]))
out.write_text("".join(line + "\n" for line in lines))
