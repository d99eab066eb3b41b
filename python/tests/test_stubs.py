"""The stubs of the engine are about what is there, with the same parameters and defaults."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import pathlib
import types

import simdtext
from simdtext import _engine

STUBS = ast.parse(pathlib.Path(simdtext.__file__).with_name("_engine.pyi").read_text("utf-8"))
#: What a wheel that is built without simdtext.arrow or simdtext.corpus lacks.
OPTIONAL = ("arrow_", "corpus_", "Array", "ChunkedArray", "Batches")


def parameters_of(arguments: ast.arguments) -> list[tuple[str, object]]:
    """Names and defaults; of a parameter without one, its name twice."""
    positional = arguments.posonlyargs + arguments.args
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults, *arguments.kw_defaults]
    return [
        (one.arg, one.arg if default is None else ast.literal_eval(default))
        for one, default in zip(positional + arguments.kwonlyargs, defaults, strict=True)
    ]


def parameters_at_runtime(called: object) -> list[tuple[str, object]]:
    assert callable(called)
    parameters = inspect.signature(called).parameters.values()
    return [(one.name, one.name if one.default is one.empty else one.default) for one in parameters]


def is_own(name: str) -> bool:
    return not name.startswith("__")


def test_stubs_and_engine_agree() -> None:
    nodes = {
        node.name: node for node in STUBS.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    there = set(filter(is_own, dir(_engine)))
    assert there <= nodes.keys()
    assert all(name.startswith(OPTIONAL) for name in nodes.keys() - there)
    for name in there:
        node = nodes[name]
        real = getattr(_engine, name)
        if isinstance(node, ast.FunctionDef):
            assert parameters_at_runtime(real) == parameters_of(node.args), name
            continue
        targets = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
        fields = [target.id for target in targets if isinstance(target, ast.Name)]
        methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        assert set(filter(is_own, vars(real))) == set(filter(is_own, [*fields, *methods])), name
        for method, stub in methods.items():
            if method == "__new__":
                assert parameters_at_runtime(real) == parameters_of(stub.args)[1:], name
            elif not stub.decorator_list and is_own(method):
                assert parameters_at_runtime(getattr(real, method)) == parameters_of(stub.args), (name, method)


def documented(nodes: list[ast.stmt], real: object) -> None:
    for node in nodes:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or not hasattr(real, node.name):
            continue
        there = getattr(real, node.name)
        stub = ast.get_docstring(node)
        # The help of operators is Python's own.
        if stub is not None and not isinstance(there, types.WrapperDescriptorType):
            # Lines may be broken elsewhere.
            assert (inspect.getdoc(there) or "").split() == stub.split(), node.name
        if isinstance(node, ast.ClassDef):
            documented(node.body, there)


def test_help_says_what_the_stubs_say() -> None:
    documented(STUBS.body, _engine)


def test_version() -> None:
    assert simdtext.__version__ == importlib.metadata.version("simdtext")
