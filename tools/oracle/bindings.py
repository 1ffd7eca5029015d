"""The bindings of Python files by CPython's own symbol tables: python3 bindings.py FILE < paths."""

import ast
import json
import symtable
import sys

COMPREHENSIONS = {ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp", ast.GeneratorExp: "genexpr"}


class Bindings:
    """Groups the places of names by the symbol table that has the name."""

    def __init__(self, path, text):
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        tree = ast.parse(text)
        self.top = symtable.symtable(text, path, "exec")
        self.parents, self.groups = {}, {}
        self.declared_global = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        self.visit(tree, self.top)

    def child(self, table, name, lines):
        """The next table of a name that begins on one of some lines."""
        for child in table.get_children():
            if child.get_id() not in self.parents and child.get_name() == name and child.get_lineno() in lines:
                self.parents[child.get_id()] = table
                return child
        raise LookupError(name)

    def owner(self, table, name):
        """The table that binds a name; None for a name that nothing in the file binds."""
        if name not in table.get_identifiers():
            return None  # an annotation that is not evaluated
        symbol = table.lookup(name)
        while not (symbol.is_local() and not symbol.is_free()) and not symbol.is_global():
            table = self.parents[table.get_id()]
            while table.get_type() != "function" or name not in table.get_identifiers():
                table = self.parents[table.get_id()]
            symbol = table.lookup(name)
        if not symbol.is_global():
            return table
        bound = name in self.top.get_identifiers() and self.top.lookup(name)
        bound = bound and (bound.is_assigned() or bound.is_imported() or bound.is_namespace())
        return self.top if bound or name in self.declared_global else None

    def add(self, table, name, node):
        if name.startswith("__"):  # a class gives it another name
            return
        owner = self.owner(table, name)
        if owner is not None:
            self.groups.setdefault((owner.get_id(), name), []).append(self.starts[node.lineno - 1] + node.col_offset)

    def parameters(self, node, table, names, body):
        """A function's defaults are its surroundings', its parameters its own."""
        a = node.args
        own = a.posonlyargs + a.args + a.kwonlyargs + [p for p in (a.vararg, a.kwarg) if p]
        for default in a.defaults + [d for d in a.kw_defaults if d] + [p.annotation for p in own if p.annotation]:
            self.visit(default, table)
        if getattr(node, "returns", None):
            self.visit(node.returns, table)
        inner = self.child(table, *names)
        for parameter in own:
            self.add(inner, parameter.arg, parameter)
        for statement in body:
            self.visit(statement, inner)

    def comprehension(self, node, table):
        self.visit(node.generators[0].iter, table)
        inner = self.child(table, COMPREHENSIONS[type(node)], [node.lineno])
        for i, loop in enumerate(node.generators):
            for part in [loop.target, *([loop.iter] if i else []), *loop.ifs]:
                self.visit(part, inner)
        for part in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
            self.visit(part, inner)

    def visit(self, node, table):
        lines = [node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))] if hasattr(node, "lineno") else []
        for decorator in getattr(node, "decorator_list", []):
            self.visit(decorator, table)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.parameters(node, table, (node.name, lines), node.body)
        elif isinstance(node, ast.Lambda):
            self.parameters(node, table, ("lambda", lines), [node.body])
        elif isinstance(node, ast.ClassDef):
            for part in node.bases + [k.value for k in node.keywords]:
                self.visit(part, table)
            inner = self.child(table, node.name, lines)
            for statement in node.body:
                self.visit(statement, inner)
        elif type(node) in COMPREHENSIONS:
            self.comprehension(node, table)
        elif isinstance(node, ast.Name):
            self.add(table, node.id, node)
        elif not isinstance(node, ast.JoinedStr):  # whose places older versions do not tell
            for part in ast.iter_child_nodes(node):
                self.visit(part, table)


with open(sys.argv[1], "w", encoding="utf-8") as out:
    for path in sys.stdin.read().splitlines():
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if not text.isascii():  # offsets are bytes
            continue
        try:
            groups = Bindings(path, text).groups
        except (SyntaxError, LookupError, RecursionError, ValueError):
            continue
        out.write(json.dumps({"Path": path, "Groups": [{"Name": name, "At": at} for (_, name), at in groups.items()]}) + "\n")
