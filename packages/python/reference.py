"""Writes docs/reference/python.md from the docstrings of the package, which it reads and does not import."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "packages/python/python/lanescope"
REFERENCE = ROOT / "docs/reference/python.md"


def exported() -> dict[str, str]:
    """The module of each public name."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    modules = {}
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            modules.update({alias.asname or alias.name: node.module for alias in node.names})
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = sorted(set(ast.literal_eval(node.value)), key=lambda name: (name.lower(), name))
    return {name: modules[name] for name in names if modules.get(name, "_lanescope") != "_lanescope"}


def definition(name: str, module: str) -> ast.ClassDef | ast.FunctionDef:
    """The class or function of this name."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef)
    found = [node for node in tree.body if isinstance(node, kinds) and node.name == name]
    return found[-1]  # behind its overloads


def documented(node: ast.ClassDef | ast.FunctionDef) -> str:
    """The docstring, whose code between double backticks is Markdown's, and whose examples are blocks."""
    lines: list[str] = []
    is_example = False
    for line in (ast.get_docstring(node) or "").splitlines():
        starts = line.startswith(">>> ")
        if starts and not is_example:
            lines.append("```python")
        if is_example and not line.strip():
            lines.append("```")
        is_example = starts or (is_example and bool(line.strip()))
        lines.append(line if is_example else re.sub(r":\w+:`", "`", line.replace("``", "`")))
    return "\n".join([*lines, "```"] if is_example else lines)


def signature(name: str, node: ast.FunctionDef) -> str:
    """As it is called, a parameter a line where they are many."""
    arguments = ast.unparse(node.args)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({arguments}){returns}"
    if len(line) <= 110:
        return line
    inside = node.args
    pieces = [ast.unparse(ast.arguments([], [a], None, [], [], None, [])) for a in [*inside.posonlyargs, *inside.args]]
    defaults = [None] * (len(pieces) - len(inside.defaults)) + inside.defaults
    pieces = [piece if value is None else f"{piece}={ast.unparse(value)}" for piece, value in zip(pieces, defaults)]
    if inside.vararg:
        pieces.append(f"*{ast.unparse(inside.vararg)}")
    elif inside.kwonlyargs:
        pieces.append("*")
    for argument, value in zip(inside.kwonlyargs, inside.kw_defaults):
        pieces.append(ast.unparse(argument) if value is None else f"{ast.unparse(argument)}={ast.unparse(value)}")
    if inside.kwarg:
        pieces.append(f"**{ast.unparse(inside.kwarg)}")
    return f"{name}(\n    " + ",\n    ".join(pieces) + f",\n){returns}"


def members(node: ast.ClassDef) -> list[str]:
    """The fields, properties and methods of a class."""
    parts = []
    for member, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            is_said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            said = f": {after.value.value}".replace("``", "`").replace("\n", " ") if is_said else ""
            said = " ".join(said.split())
            parts.append(f"- `{member.target.id}: {ast.unparse(member.annotation)}`{said}")
        elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
            first = documented(member).split("\n\n")[0].replace("\n", " ")
            is_property = any(ast.unparse(mark).endswith("property") for mark in member.decorator_list)
            arguments = [argument.arg for argument in [*member.args.args, *member.args.kwonlyargs]][1:]
            call = member.name if is_property else f"{member.name}({', '.join(arguments)})"
            parts.append(f"- `{call}`: {first}")
    return parts


def reference() -> str:
    """The whole text."""
    parts = ["# Python, function by function", "Made of the docstrings; [the package](../../packages/python/README.md) tells it in order."]
    for name, module in exported().items():
        node = definition(name, module)
        parts.append(f"## `{name}`")
        if isinstance(node, ast.FunctionDef):
            parts.append(f"```python\n{signature(name, node)}\n```")
        if text := documented(node):
            parts.append(text)
        if isinstance(node, ast.ClassDef) and (inside := members(node)):
            parts.append("\n".join(inside))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if REFERENCE.read_text(encoding="utf-8") == reference() else "docs/reference/python.md is of another version")
    REFERENCE.write_text(reference(), encoding="utf-8")
