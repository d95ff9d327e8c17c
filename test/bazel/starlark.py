"""Evaluates BUILD files and bazel/structured.bzl without Bazel, and keeps the actions that they declare.

Starlark is nearly a subset of Python. Only what the rules use is here.
"""
import pathlib

BIN = "bazel-out/bin"


class Failure(Exception):
    pass


class Namespace:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class File:
    """A source, or an output below BIN. `origin` is the path of a source on this machine."""

    def __init__(self, path, origin=None, is_directory=False):
        self.path, self.origin, self.is_directory = path, origin, is_directory
        self.dirname, _, self.basename = path.rpartition("/")
        self.short_path = path.removeprefix(BIN + "/")
        if path.startswith("external/"):
            self.short_path = "../" + path.removeprefix("external/")


class Depset:
    def __init__(self, direct=(), transitive=()):
        self.items = list(dict.fromkeys([*direct, *(each for depset in transitive for each in depset.to_list())]))

    def to_list(self):
        return self.items


class Label:
    def __init__(self, repository, package, name):
        self.text, self.name, self.workspace_root = f"{repository}//{package}:{name}", name, ""

    def __str__(self):
        return self.text


def rules_label(text):
    """A label in the repository of the rules."""
    return Label("@structured", *text.removeprefix("//").split(":"))


class Provider:
    def __init__(self, **_):
        pass

    def __call__(self, **fields):
        return self, Namespace(**fields)


class Args:
    def __init__(self):
        self.words = []

    @staticmethod
    def text(value):
        return value.path if isinstance(value, File) else value

    def add(self, *values):
        self.words += [self.text(each) for each in values]

    def add_all(self, values, format_each="%s"):
        self.words += [format_each % self.text(each) for each in values]


class Target:
    """The files of a target, and its providers by object, as `target[Provider]`."""

    def __init__(self, files=(), providers=None):
        self.files, self.providers = list(files), providers or {}

    def __getitem__(self, provider):
        return self.providers[provider]


FIELDS = ["headers", "defines", "includes", "quote_includes", "system_includes"]
CcInfo, DefaultInfo, OutputGroupInfo = Provider(), Provider(), Provider()


def compilation_context(**fields):
    return Namespace(**{name: fields.get(name, Depset()) for name in FIELDS})


def merged(infos):
    return compilation_context(**{name: Depset(transitive=[getattr(each.compilation_context, name) for each in infos])
                                  for name in FIELDS})


class Workspace:
    """Targets and actions of the folder `root`, and of the repository `structured`."""

    def __init__(self, root, repository):
        self.folders = {"": pathlib.Path(root), "@structured": pathlib.Path(repository)}
        self.targets, self.actions = {}, []
        bzl = self.folders["@structured"] / "structured.bzl"
        self.rules = {
            "load": lambda *_: None, "Label": rules_label, "provider": Provider, "rule": self.rule, "fail": self.fail, "depset": Depset,
            "attr": Namespace(**{kind: (lambda kind: lambda **options: (kind, options))(kind)
                                 for kind in ("string", "string_list", "label", "label_list")}),
            "CcInfo": CcInfo, "DefaultInfo": DefaultInfo, "OutputGroupInfo": OutputGroupInfo, "cc_library": self.cc_library,
            "cc_common": Namespace(
                merge_cc_infos=lambda cc_infos: Namespace(compilation_context=merged(cc_infos)),
                create_compilation_context=compilation_context),
        }
        exec(compile(bzl.read_text(), bzl, "exec"), self.rules)  # the file is of this repository
        self.read("@structured", "", "BUILD.bazel")

    @staticmethod
    def fail(text):
        raise Failure(text)

    def read(self, repository, package, name="BUILD.bazel"):
        """Evaluates a BUILD file."""
        path = self.folders[repository] / package / name
        self.repository, self.package = repository, package
        names = {
            **{name: self.rules[name] for name in ("load", "cc_library", "structured_library")}, "package": lambda **_: None,
            "exports_files": lambda *_: None, "glob": self.glob,
            "alias": lambda name, actual: self.define(name, Target(self.find(actual).files)),
            "filegroup": lambda name, srcs: self.define(name, Target(self.files(srcs))),
        }
        exec(compile(path.read_text(), path, "exec"), names)

    def define(self, name, target):
        self.targets[self.absolute(name)] = target

    def absolute(self, label):
        label = str(label)
        if label.startswith(("//", "@")):
            return label if ":" in label else f"{label}:{label.rpartition('/')[2]}"
        return f"{self.repository}//{self.package}:{label.removeprefix(':')}"

    def source(self, name):
        folder = self.folders[self.repository]
        path = f"{self.package}/{name}".strip("/")
        prefix = "external/structured/" if self.repository else ""
        return File(prefix + path, folder / path)

    def find(self, label):
        known = self.targets.get(self.absolute(label))
        return known or Target([self.source(label)])

    def files(self, labels):
        return [file for label in labels for file in self.find(label).files]

    def glob(self, patterns, exclude=()):
        # Path.glob does not follow links, and patterns here have none inside `**`.
        folder = self.folders[self.repository] / self.package
        found = set()
        for pattern in patterns:
            fixed, _, rest = pattern.partition("**")
            for path in (folder / fixed.rstrip("/")).resolve().glob("**" + (rest or "/*")) if "**" in pattern else folder.glob(pattern):
                if path.is_file():
                    root = (folder / fixed.rstrip("/")).resolve() if "**" in pattern else folder
                    found.add((fixed if "**" in pattern else "") + path.relative_to(root).as_posix())
        return sorted(found)

    def cc_library(self, name, hdrs=(), textual_hdrs=(), includes=(), deps=(), **_):
        headers = Depset(self.files([*hdrs, *textual_hdrs]))
        prefix = "external/structured/" if self.repository else ""
        own = compilation_context(headers=headers, system_includes=Depset([prefix + each for each in includes]))
        infos = [self.find(each)[CcInfo] for each in deps]
        context = merged([Namespace(compilation_context=own), *infos])
        self.define(name, Target(providers={CcInfo: Namespace(compilation_context=context)}))

    def rule(self, implementation, attrs, fragments):
        def instantiate(name, visibility=None, **values):
            attr, files, file, executable = {}, {}, {}, {}
            for key, (kind, options) in attrs.items():
                value = values.get(key)
                if value is None and "default" in options:
                    value = rules_label(options["default"]) if kind == "label" else options["default"]
                if kind == "label_list":
                    attr[key], files[key] = [self.find(each) for each in value or []], self.files(value or [])
                elif kind == "label":
                    files[key] = self.files([value]) if value else []
                    attr[key] = file[key] = executable[key] = files[key][0] if files[key] else None
                else:
                    attr[key] = value if value is not None else [] if kind == "string_list" else ""
            folder = "/".join(each for each in (BIN, self.package) if each)
            context = Namespace(
                attr=Namespace(**attr), files=Namespace(**files), file=Namespace(**file), executable=Namespace(**executable),
                label=Label(self.repository, self.package, name), bin_dir=Namespace(path=BIN),
                fragments=Namespace(cpp=Namespace(copts=[], cxxopts=[])),
                actions=Namespace(args=Args, run=lambda **action: self.actions.append(Namespace(**action)),
                                  declare_file=lambda path: File(f"{folder}/{path}"),
                                  declare_directory=lambda path: File(f"{folder}/{path}", is_directory=True)))
            providers = dict(implementation(context))
            self.define(name, Target(providers[DefaultInfo].files.to_list(), providers))
        return instantiate
