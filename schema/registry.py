"""Reads the registries of schema/structured/schema and tool/language (*.def) for scripts."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGISTRIES = (ROOT / "schema" / "structured" / "schema", ROOT / "tool" / "language")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^,()"]+|[,()]')


def entries(file, macro):
    """The arguments of every use of the macro, strings without their quotes."""
    path = next(folder / file for folder in REGISTRIES if (folder / file).exists())
    text = re.sub(r"//[^\n]*", "", path.read_text())
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    for use in re.finditer(rf"\b{macro}\(", text):
        arguments, current, depth = [], "", 0
        for token in TOKEN.findall(text[use.end():]):
            if token == ")" and depth == 0:
                break
            depth += (token == "(") - (token == ")")
            if token == "," and depth == 0:
                arguments.append(current.strip())
                current = ""
            elif token.startswith('"'):
                current += token[1:-1].replace('\\"', '"')
            else:
                current += token.strip()
        yield arguments + [current.strip()]


def dtypes():
    """The rows of dtypes.def, in their order: dictionaries of the fields of schema::Dtype, as text. Fields that a row
    does not have are absent, but for `type` (empty) and `torch`."""
    rows = [(number, enumerator, type, fields) for enumerator, type, number, *fields
            in entries("dtypes.def", "STRUCTURED_PLAIN_DTYPE")]
    rows += [(number, enumerator, "", fields) for enumerator, number, *fields in entries("dtypes.def", "STRUCTURED_DTYPE")]
    for number, enumerator, type, fields in sorted(rows, key=lambda row: int(row[0])):
        row = {"name": enumerator, "number": number, "type": type}
        for field in fields:
            name, value = field.split("=", 1)
            row[name.strip(" .")] = value.strip()
        row.setdefault("torch", row["word"])
        yield row
