"""The text of the array API standard, 2024.12, as the package types-array-api from PyPI has it: signatures, and special cases.

A special case is a sentence of a docstring, such as "If ``x1_i`` is ``+0`` and ``x2_i`` is less than ``0``, the result is
``-infinity``." It is read as a condition on the operands and a condition on the result.
"""
import ast
import dataclasses
import importlib.util
import inspect
import math
import pathlib
import re
from collections.abc import Callable


def _module():
    # The text has the syntax of Python 3.12; type parameters of classes and names of types are left out.
    path = pathlib.Path(importlib.util.find_spec("array_api").origin).with_name("_2024_12.py")
    text = re.sub(r"^(class \w+)\[.*\](\(.*\):)$", r"\1\2", path.read_text(), flags=re.MULTILINE)
    return ast.parse(re.sub(r"^type .*\n", "", text, flags=re.MULTILINE))


_CLASSES = {each.name: each for each in _module().body if isinstance(each, ast.ClassDef)}


def _names(namespace):
    return [each.target.id for each in _CLASSES[namespace].body if isinstance(each, ast.AnnAssign)]


NAMES = {"": _names("ArrayNamespace"), "linalg": _names("LinalgNamespace"), "fft": _names("FftNamespace")}
FUNCTIONS = {space: [name for name in names if name in _CLASSES] for space, names in NAMES.items()}
MEMBERS = [each.name for each in _CLASSES["Array"].body
           if isinstance(each, ast.FunctionDef) and each.name != "__init__"]


def signature(name):
    """The parameters of a function."""
    call = next(each for each in _CLASSES[name].body if isinstance(each, ast.FunctionDef) and each.name == "__call__")
    code = f"def {name}({ast.unparse(_without_types(call.args))}): pass"
    scope = {"inf": math.inf}
    exec(code, scope)
    return inspect.signature(scope[name])


def _without_types(arguments):
    arguments.posonlyargs = [each for each in arguments.posonlyargs if each.arg != "self"]
    arguments.args = [each for each in arguments.args if each.arg != "self"]
    everything = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    for each in everything + [arguments.vararg] * (arguments.vararg is not None):
        each.annotation = None
    return arguments


# ---------------------------------------------------------------------------------------------------- special cases


@dataclasses.dataclass
class SpecialCase:
    """`applies(operands)` and `holds(operands, result)` take numbers; `operands` maps their names."""

    function: str
    sentence: str
    applies: Callable
    holds: Callable


# Conditions that depend on rounding, or that repeat other ones.
_VAGUE = ("remaining cases", "rule already stated", "two integers are equally close",
          "data type", "``N``", "``N - correction``", "``min_i``", "``max_i``")
_OPERAND = r"``(?:abs\()?x[12]?_i\)?``|the sign bit of ``x[12]?_i``"


class NotUnderstood(Exception):
    """A sentence has another form than the reader knows."""


def _number(text, operands):
    """The number that a text such as `-3π/4` or `|x1_i|` stands for."""
    sign = -1.0 if text.startswith("-") else 1.0
    bare = text.lstrip("+-")
    if bare in ("NaN", "infinity"):
        return sign * float(bare)
    if bare in ("True", "False"):
        return bare == "True"
    if match := re.fullmatch(r"(\d*)π(?:/(\d))?", bare):
        return sign * int(match[1] or 1) * math.pi / int(match[2] or 1)
    if match := re.fullmatch(r"\|(x[12]?_i)\||abs\((x[12]?_i)\)", bare):
        return sign * abs(operands[match[1] or match[2]])
    if bare in operands:
        return sign * operands[bare]
    if re.fullmatch(r"\d+(\.\d+)?", bare):
        return sign * float(bare)
    raise NotUnderstood(text)


def is_same(found, wanted, has_sign):
    """Whether two numbers are equal, or both NaN. With `has_sign`, zeros of different signs are not."""
    if math.isnan(wanted):
        return math.isnan(found)
    if has_sign and wanted == 0 and math.copysign(1, found) != math.copysign(1, wanted):
        return False
    return found == wanted


def _operand(text):
    name = re.search(r"x[12]?_i", text)[0]
    if text.startswith("the sign bit"):
        return lambda operands: float(math.copysign(1, operands[name]) < 0)
    if "abs(" in text:
        return lambda operands: abs(operands[name])
    return lambda operands: operands[name]


def _is_integer(number):
    return math.isfinite(number) and number == math.floor(number)


_KINDS = {
    "a finite number": math.isfinite,
    "a nonzero finite number": lambda number: math.isfinite(number) and number != 0,
    "a positive finite number": lambda number: math.isfinite(number) and number > 0,
    "a negative finite number": lambda number: math.isfinite(number) and number < 0,
    "any value": lambda number: True,
    "an odd integer value": lambda number: _is_integer(number) and number % 2 == 1,
    "not an odd integer value": lambda number: not (_is_integer(number) and number % 2 == 1),
    "not an integer value": lambda number: not _is_integer(number),
    "already integer-valued": _is_integer,
}


def _predicate(text):
    """A function of a number and the operands, for the words after `is`."""
    if text in _KINDS:
        return lambda number, operands: _KINDS[text](number)
    if match := re.fullmatch(r"(greater than|less than|equal to|not equal to|not) ``(.*)``", text):
        relations = {"greater than": lambda a, b: a > b, "less than": lambda a, b: a < b,
                     "equal to": lambda a, b: a == b, "not equal to": lambda a, b: a != b, "not": lambda a, b: not is_same(a, b, True)}
        return lambda number, operands: relations[match[1]](number, _number(match[2], operands))
    parts = text.removeprefix("either ").split(" or ")
    if len(parts) > 1:
        each = [_predicate(part) for part in parts]
        return lambda number, operands: any(predicate(number, operands) for predicate in each)
    if match := re.fullmatch(r"``([^`]*)``", text):
        return lambda number, operands: is_same(number, _number(match[1], operands), match[1][0] in "+-")
    raise NotUnderstood(text)


def _condition(text):
    text = re.sub(r" \(i\.e\.,[^)]*\)|, including ``NaN``", "", text)
    text = text.replace(" equals ", " is equal to ").replace(" does not equal ", " is not equal to ")
    if match := re.fullmatch(r"``x1_i`` and ``x2_i`` have (the same|different) mathematical signs?(.*)", text):
        wants_equal, are_plain = match[1] == "the same", bool(match[2])

        def signs(operands):
            a, b = operands["x1_i"], operands["x2_i"]
            if are_plain and not all(math.isfinite(each) and each != 0 for each in (a, b)):
                return False
            return (math.copysign(1, a) == math.copysign(1, b)) == wants_equal and not (math.isnan(a) or math.isnan(b))

        return signs
    alternatives = re.split(r"(?<=NaN``) or (?=``x2_i`` is)", text)
    if len(alternatives) > 1:
        each = [_condition(alternative) for alternative in alternatives]
        return lambda operands: any(condition(operands) for condition in each)
    tests = []
    for part in re.split(r"(?:, and | and |, )(?=(?:either )?(?:``(?:abs\()?x|the sign bit))", text):
        match = re.fullmatch(rf"(?:either )?({_OPERAND})(?: or ({_OPERAND}))? is (.*)", part)
        if not match:
            raise NotUnderstood(text)
        subjects = [_operand(match[1])] + ([_operand(match[2])] if match[2] else [])
        predicate = _predicate(match[3])
        tests.append(lambda operands, subjects=subjects, predicate=predicate: any(
            predicate(subject(operands), operands) for subject in subjects))
    return lambda operands: all(test(operands) for test in tests)


def _result(text):
    if match := re.fullmatch(r"(.*?)\. \(\*\*note\*\*: libraries may return (``.*?``) .*", text):
        each = [_result(match[1]), _result("is " + match[2])]
        return lambda operands, result: any(holds(operands, result) for holds in each)
    text = re.sub(r", even if.*|\. \(\*\*note.*", "", text)
    if match := re.fullmatch(r"has a (positive|negative) mathematical sign(, unless the result is ``NaN``.*)?", text):
        sign = 1 if match[1] == "positive" else -1
        return lambda operands, result: math.isnan(result) or math.copysign(1, result) == sign
    if match := re.fullmatch(r"is ``NaN`` with a sign bit of ``([01])``", text):
        return lambda operands, result: math.isnan(result) and (math.copysign(1, result) < 0) == (match[1] == "1")
    match = re.fullmatch(r"is (?:an implementation-dependent approximation to |equivalent to |)``([^`]*)``", text)
    if not match:
        raise NotUnderstood(text)
    wanted = match[1]
    _number(wanted, dict.fromkeys(("x_i", "x1_i", "x2_i"), 1.0))  # throws unless it is a number
    if "π" in wanted:
        return lambda operands, result: math.isclose(result, _number(wanted, operands), rel_tol=1e-6)
    return lambda operands, result: is_same(result, _number(wanted, operands), wanted[0] in "+-")


def special_cases(name):
    """The cases of an elementwise function for real numbers, and the sentences that are not understood."""
    cases, others = [], []
    text = ast.get_docstring(_CLASSES[name])
    for sentence in re.findall(r"^ *- +(If .*?)\.?$", text, flags=re.MULTILINE):
        match = re.fullmatch(r"If (.*?), the result (.*)", sentence)
        if not match or not re.search(r"x[12]?_i", match[1]) or any(words in sentence for words in _VAGUE):
            continue
        try:
            cases.append(SpecialCase(name, sentence, _condition(match[1]), _result(match[2])))
        except NotUnderstood:
            others.append(sentence)
    return cases, others
