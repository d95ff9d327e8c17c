// Functions of modules: objects that bind arguments to the first overload that accepts them. One object is both a
// function and a method of Tensor.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "errors.h"
#include "override.h"
#include "signature.h"
#include "structured/iterator/parallel.h"
#include "structured/python/module.h"
#include "structured/python/object.h"
#include "types.h"

namespace structured::python {
namespace {

constexpr std::size_t max_parameters = 64;

struct FunctionObject {
  PyObject_HEAD Vectorcall vectorcall;
  const Function* function;
  PyObject* module_name;
  std::vector<Signature>* signatures;  // null before the first call
};

PyTypeObject* function_type = nullptr;

FunctionObject& function_of(PyObject* object) { return *reinterpret_cast<FunctionObject*>(object); }

const std::vector<Signature>& signatures_of(FunctionObject& self) {
  if (self.signatures == nullptr) {
    auto signatures = std::make_unique<std::vector<Signature>>();
    for (std::size_t i = 0; i < self.function->count; ++i) {
      signatures->push_back(parse_signature(self.function->overloads[i]));
      STRUCTURED_CHECK(signatures->back().parameters.size() <= max_parameters, "expected at most ", max_parameters,
                       " parameters, got ", signatures->back().schema);
    }
    self.signatures = signatures.release();
  }
  return *self.signatures;
}

// Whether the object is a number, and neither an array nor a tensor with dimensions.
bool is_number(PyObject* object) {
  if (PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object)) return true;
  if (is_tensor(object)) return tensor_of(object).dim() == 0;
  if (is_numpy_bool(object)) return true;
  return !has_length(Py_TYPE(object)) && PyNumber_Check(object) != 0;
}

bool is_integer(PyObject* object) {
  if (PyLong_CheckExact(object)) return true;
  if (PyBool_Check(object)) return false;
  if (is_tensor(object)) {
    const Tensor& tensor = tensor_of(object);
    return tensor.dim() == 0 && is_integral(tensor.dtype(), false);
  }
  return PyIndex_Check(object) != 0 && is_number(object);
}

// Facts about the arguments of one call.
struct CallFacts {
  bool is_large = false;      // some tensor is large enough that other threads should run meanwhile
  bool has_subclass = false;  // some tensor is not exactly a Tensor

  void see(const Tensor& tensor) {
    if (tensor.impl()->numel() >= kGrainSize) is_large = true;
  }
};

bool accepts_item(const Parameter& parameter, PyObject* object, CallFacts& facts) {
  switch (parameter.kind) {
    case Kind::tensor:
      if (!is_exact_tensor(object)) {
        if (!is_tensor(object)) return false;
        facts.has_subclass = true;
      }
      facts.see(tensor_of(object));
      return true;
    case Kind::scalar:
      return PyFloat_CheckExact(object) || PyLong_CheckExact(object) || is_number(object);
    case Kind::integer:
      return is_integer(object);
    case Kind::real:
      return PyFloat_CheckExact(object) || (is_number(object) && !PyComplex_Check(object));
    case Kind::boolean:
      return PyBool_Check(object) || is_numpy_bool(object);
    case Kind::text:
      return PyUnicode_Check(object);
    case Kind::dtype:
      return Py_IS_TYPE(object, dtype_type) || object == reinterpret_cast<PyObject*>(&PyFloat_Type) ||
             object == reinterpret_cast<PyObject*>(&PyLong_Type) ||
             object == reinterpret_cast<PyObject*>(&PyBool_Type) ||
             object == reinterpret_cast<PyObject*>(&PyComplex_Type);
    case Kind::layout:
      return Py_IS_TYPE(object, layout_type);
    case Kind::device:
      return Py_IS_TYPE(object, device_type) || PyUnicode_Check(object);
    case Kind::memory_format:
      return Py_IS_TYPE(object, memory_format_type);
    case Kind::generator:
      return Py_IS_TYPE(object, generator_type);
    case Kind::qscheme:
      return Py_IS_TYPE(object, qscheme_type);
    case Kind::dimname:
      return PyUnicode_Check(object) || object == Py_None;
    case Kind::unknown:
      return false;
  }
  return false;
}

bool accepts_list(const Parameter& parameter, PyObject* object, CallFacts& facts) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) {
    return parameter.size != 0 && parameter.kind != Kind::boolean && accepts_item(parameter, object, facts);
  }
  const Py_ssize_t size = sequence_size(object);
  if (parameter.kind == Kind::boolean && parameter.size != 0 && size != parameter.size) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = sequence_item(object, i);
    if (item == Py_None && parameter.has_optional_items) continue;
    if (!accepts_item(parameter, item, facts)) return false;
  }
  return true;
}

inline bool accepts(const Parameter& parameter, PyObject* object, CallFacts& facts) {
  if (parameter.kind == Kind::tensor && !parameter.is_list && is_exact_tensor(object)) [[likely]] {
    facts.see(tensor_of(object));
    return true;
  }
  if (object == Py_None && parameter.is_optional) return true;
  return parameter.is_list ? accepts_list(parameter, object, facts) : accepts_item(parameter, object, facts);
}

constexpr std::string_view reserved_words[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

// Other names of a parameter: those that NumPy and PyTorch's functions have for some, and `from_` for `from`, since a
// call in Python cannot say `from=`.
std::string_view other_name(std::string_view keyword) {
  if (keyword == "input") return "self";
  if (keyword == "axis") return "dim";
  if (keyword == "keepdims") return "keepdim";
  if (!keyword.ends_with('_')) return {};
  keyword.remove_suffix(1);
  return std::ranges::find(reserved_words, keyword) == std::end(reserved_words) ? std::string_view() : keyword;
}

bool is_named(PyObject* keyword, std::string_view name) { return text_from(keyword) == name; }

PyObject* out_keyword() {
  static PyObject* const name = PyUnicode_InternFromString("out");
  return name;
}

// Arguments of a call as Python passes them.
struct PythonArguments {
  PyObject* const* values;
  std::size_t count;   // positional
  PyObject* keywords;  // names of those that follow; may be null
};

// Whether the keyword `out` has a value other than None: if it has, only overloads with out arguments accept the call.
bool gives_out(const PythonArguments& arguments) {
  if (arguments.keywords == nullptr) [[likely]]
    return false;
  for (Py_ssize_t i = 0; i < tuple_size(arguments.keywords); ++i) {
    PyObject* const keyword = tuple_item(arguments.keywords, i);
    if (keyword == out_keyword() || is_named(keyword, "out")) {
      return arguments.values[arguments.count + static_cast<std::size_t>(i)] != Py_None;
    }
  }
  return false;
}

// Binds one overload to arguments.
class Binder {
 public:
  Binder(const Signature& signature, const PythonArguments& arguments) : signature_(signature), arguments_(arguments) {}

  bool bind() {
    const Parameter* const inputs = signature_.parameters.data() + signature_.out_count;
    const std::size_t input_count = signature_.parameters.size() - signature_.out_count;
    PyObject** const slots = slots_ + signature_.out_count;
    std::size_t bound = arguments_.count;
    if (bound > signature_.positional) [[unlikely]] {
      if (!bind_loose_list()) return false;
      bound = static_cast<std::size_t>(signature_.loose_list) + 1;
    } else {
      for (std::size_t i = 0; i < bound; ++i) {
        const bool is_accepted = accepts(inputs[i], arguments_.values[i], facts_) || is_loose_number(i);
        if (!is_accepted) return fail(inputs[i], arguments_.values[i]);
        slots[i] = arguments_.values[i];
      }
    }
    if (arguments_.keywords != nullptr) [[unlikely]]
      return bind_keywords(bound);
    if (signature_.out_count != 0) return fail_missing("out");
    for (std::size_t i = bound; i < input_count; ++i) {
      slots[i] = inputs[i].default_value;
      if (slots[i] == nullptr) return fail_missing(inputs[i]);
    }
    return true;
  }

  PyObject* call() const {
    PyObject* const result = signature_.invoke({slots_, numbers_, facts_.is_large});
    if (requires_grad_) [[unlikely]] {
      Object owned = Object::checked(result);
      tensor_of(owned.get()).requires_grad_();
      return owned.release();
    }
    // A method that returns its argument unchanged, such as contiguous(), returns the same object.
    if (result != nullptr && is_exact_tensor(result) && slots_[signature_.out_count] != nullptr &&
        is_exact_tensor(slots_[signature_.out_count]) &&
        tensor_of(result).is_same(tensor_of(slots_[signature_.out_count]))) {
      Py_DECREF(result);
      return Py_NewRef(slots_[signature_.out_count]);
    }
    return result == nullptr || signature_.results == nullptr || !PyTuple_CheckExact(result) ? result : named(result);
  }

  /// Whether a tensor among the arguments is an object of a subclass.
  bool has_subclass() const { return facts_.has_subclass; }

  /// Why bind() has returned false.
  std::string reason() const {
    const auto name = [&] { return "argument `" + std::string(text_from(failed_->name)) + "`"; };
    switch (failure_) {
      case Failure::none:
        break;
      case Failure::kind:
        if (failed_->kind == Kind::unknown) {
          return name() + ": type " + failed_->type + " has no objects in Python, got " + type_name(found_) +
                 (failed_->is_optional ? "; pass None" : "; call the operator from C++");
        }
        return name() + " must be " + failed_->type + ", not " + type_name(found_);
      case Failure::missing:
        return failed_ == nullptr ? "argument `out` is missing" : name() + " is missing";
      case Failure::count:
        return "expected at most " + std::to_string(signature_.positional) + " positional arguments, got " +
               std::to_string(arguments_.count);
      case Failure::keyword:
        return "there is no argument `" + std::string(text_from(found_)) + "`";
      case Failure::flag:
        return std::string("argument `requires_grad` must be bool, not ") + type_name(found_);
      case Failure::twice:
        return name() + " is given twice";
    }
    return "the arguments do not match";
  }

 private:
  enum class Failure : uint8_t { none, kind, missing, count, keyword, flag, twice };

  bool fail(const Parameter& parameter, PyObject* found) {
    failure_ = Failure::kind;
    failed_ = &parameter;
    found_ = found;
    return false;
  }
  bool fail_missing(const Parameter& parameter) {
    failure_ = Failure::missing;
    failed_ = &parameter;
    return false;
  }
  bool fail_missing(const char*) {
    failure_ = Failure::missing;
    failed_ = nullptr;
    return false;
  }
  bool fail_keyword(Failure failure, PyObject* keyword, const Parameter* parameter = nullptr) {
    failure_ = failure;
    failed_ = parameter;
    found_ = keyword;
    return false;
  }

  // Whether argument `i` is the list that may be given as separate numbers, and is one number: `zeros(3)`.
  bool is_loose_number(std::size_t i) const {
    return signature_.loose_list == static_cast<int>(i) && is_integer(arguments_.values[i]);
  }

  bool bind_loose_list() {
    if (signature_.loose_list < 0) {
      failure_ = Failure::count;
      return false;
    }
    const auto before = static_cast<std::size_t>(signature_.loose_list);
    const Parameter* const inputs = signature_.parameters.data() + signature_.out_count;
    for (std::size_t i = 0; i < before; ++i) {
      if (!accepts(inputs[i], arguments_.values[i], facts_)) return fail(inputs[i], arguments_.values[i]);
      slots_[signature_.out_count + i] = arguments_.values[i];
    }
    for (std::size_t i = before; i < arguments_.count; ++i) {
      if (!is_integer(arguments_.values[i])) return fail(inputs[before], arguments_.values[i]);
    }
    numbers_ = {arguments_.values + before, arguments_.count - before};
    slots_[signature_.out_count + before] = nullptr;
    return true;
  }

  bool bind_out(PyObject* value) {
    const Parameter& first = signature_.parameters[0];
    if (signature_.out_count == 1) {
      if (!accepts(first, value, facts_)) return fail(first, value);
      slots_[0] = value;
      return true;
    }
    if ((!PyTuple_Check(value) && !PyList_Check(value)) ||
        static_cast<std::size_t>(sequence_size(value)) != signature_.out_count) {
      return fail(first, value);
    }
    for (std::size_t i = 0; i < signature_.out_count; ++i) {
      slots_[i] = sequence_item(value, static_cast<Py_ssize_t>(i));
      if (!accepts(signature_.parameters[i], slots_[i], facts_)) return fail(signature_.parameters[i], slots_[i]);
    }
    return true;
  }

  std::size_t find(PyObject* keyword) const {
    const std::vector<Parameter>& parameters = signature_.parameters;
    for (std::size_t i = signature_.out_count; i < parameters.size(); ++i) {
      if (parameters[i].name == keyword) return i;
    }
    std::string_view name = text_from(keyword);
    for (int attempt = 0; attempt < 2 && !name.empty(); ++attempt) {
      for (std::size_t i = signature_.out_count; i < parameters.size(); ++i) {
        if (is_named(parameters[i].name, name)) return i;
      }
      name = other_name(name);
    }
    return parameters.size();
  }

  bool bind_keywords(std::size_t bound) {
    const std::vector<Parameter>& parameters = signature_.parameters;
    std::fill(slots_ + signature_.out_count + bound, slots_ + parameters.size(), nullptr);
    bool has_out = false;
    const Py_ssize_t count = tuple_size(arguments_.keywords);
    for (Py_ssize_t k = 0; k < count; ++k) {
      PyObject* const keyword = tuple_item(arguments_.keywords, k);
      PyObject* const value = arguments_.values[arguments_.count + static_cast<std::size_t>(k)];
      if (keyword == out_keyword() || is_named(keyword, "out")) {
        if (value == Py_None && signature_.out_count == 0) continue;
        if (signature_.out_count == 0) return fail_keyword(Failure::keyword, keyword);
        if (!bind_out(value)) return false;
        has_out = true;
        continue;
      }
      if (signature_.is_factory && is_named(keyword, "requires_grad")) {
        if (!PyBool_Check(value)) return fail_keyword(Failure::flag, value);
        requires_grad_ = value == Py_True;
        continue;
      }
      const std::size_t i = find(keyword);
      if (i == parameters.size()) return fail_keyword(Failure::keyword, keyword);
      if (i < signature_.out_count + bound || slots_[i] != nullptr) {
        return fail_keyword(Failure::twice, keyword, &parameters[i]);
      }
      if (!accepts(parameters[i], value, facts_)) return fail(parameters[i], value);
      slots_[i] = value;
    }
    if (signature_.out_count != 0 && !has_out) return fail_missing("out");
    for (std::size_t i = signature_.out_count + bound; i < parameters.size(); ++i) {
      if (slots_[i] != nullptr) continue;
      slots_[i] = parameters[i].default_value;
      if (slots_[i] == nullptr) return fail_missing(parameters[i]);
    }
    return true;
  }

  PyObject* named(PyObject* tuple) const {
    const Object owned(tuple);
    Object result = Object::checked(PyStructSequence_New(signature_.results));
    for (Py_ssize_t i = 0; i < tuple_size(tuple); ++i) {
      PyStructSequence_SetItem(result.get(), i, Py_NewRef(tuple_item(tuple, i)));
    }
    return result.release();
  }

  const Signature& signature_;
  const PythonArguments& arguments_;
  CallFacts facts_;
  Failure failure_ = Failure::none;
  const Parameter* failed_ = nullptr;
  PyObject* found_ = nullptr;
  std::span<PyObject* const> numbers_;
  bool requires_grad_ = false;
  PyObject* slots_[max_parameters];
};

// Sets a TypeError that names the argument, if there is one overload, or lists the overloads.
[[noreturn]] void raise_no_overload(const FunctionObject& self, const PythonArguments& arguments) {
  const std::vector<Signature>& signatures = *self.signatures;
  std::string text = std::string(self.function->name) + "(): ";
  if (signatures.size() == 1) {
    Binder binder(signatures[0], arguments);
    binder.bind();
    text += binder.reason() + "; expected " + signatures[0].text();
  } else {
    text += "no overload accepts (";
    const std::size_t keywords =
        arguments.keywords == nullptr ? 0 : static_cast<std::size_t>(tuple_size(arguments.keywords));
    for (std::size_t i = 0; i < arguments.count + keywords; ++i) {
      if (i != 0) text += ", ";
      if (i >= arguments.count) {
        PyObject* const keyword = tuple_item(arguments.keywords, static_cast<Py_ssize_t>(i - arguments.count));
        text += std::string(text_from(keyword)) + "=";
      }
      text += type_name(arguments.values[i]);
    }
    text += "); expected one of";
    for (const Signature& signature : signatures) {
      Binder binder(signature, arguments);
      binder.bind();
      text += "\n  " + signature.text() + ": " + binder.reason();
    }
  }
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw PythonError();
}

PyObject* call(PyObject* callable, PyObject* const* values, std::size_t count, PyObject* keywords) {
  FunctionObject& self = function_of(callable);
  try {
    const PythonArguments arguments{values, positional_count(count), keywords};
    const bool has_out = gives_out(arguments);
    for (const Signature& signature : signatures_of(self)) {
      if ((signature.out_count != 0) != has_out) continue;
      Binder binder(signature, arguments);
      if (!binder.bind()) continue;
      if (binder.has_subclass()) [[unlikely]] {
        if (Object result = call_override(callable, values, arguments.count, keywords)) return result.release();
      }
      return binder.call();
    }
    // Objects of other types may have the protocol, too.
    if (Object result = call_override(callable, values, arguments.count, keywords)) return result.release();
    raise_no_overload(self, arguments);
  } catch (...) {
    set_python_exception();
    return nullptr;
  }
}

// A call with a tuple and a dictionary, which only C code makes.
PyObject* call_with_tuple(PyObject* callable, PyObject* positional, PyObject* options) {
  return guarded([&] {
    std::vector<PyObject*> values = elements_of(positional);
    const std::size_t count = values.size();
    const Object keywords = Object::checked(options == nullptr ? PyTuple_New(0) : PySequence_Tuple(options));
    for (Py_ssize_t i = 0; i < tuple_size(keywords.get()); ++i) {
      values.push_back(PyDict_GetItem(options, tuple_item(keywords.get(), i)));
    }
    return call(callable, values.data(), count, options == nullptr ? nullptr : keywords.get());
  });
}

PyObject* bind_method(PyObject* self, PyObject* instance, PyObject*) {
  return instance == nullptr || instance == Py_None ? Py_NewRef(self) : new_method(self, instance);
}

PyObject* repr(PyObject* self) { return PyUnicode_FromFormat("<function %s>", function_of(self).function->name); }

// `Tensor` for `Tensor(a!)`.
std::string without_aliases(std::string_view type) {
  std::string text;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool is_alias = type[i] == '(' && (type.substr(i + 2, 1) == ")" || type.substr(i + 2, 2) == "!)");
    if (is_alias) i = type.find(')', i);
    if (!is_alias) text += type[i];
  }
  return text;
}

// The documentation of the module `<module>_docs`, after the overloads.
PyObject* documentation(PyObject* object, void*) {
  return guarded([&] {
    FunctionObject& self = function_of(object);
    std::string text;
    for (const Signature& signature : signatures_of(self)) {
      const std::size_t arrow = signature.schema.rfind(" -> ");
      text += self.function->name + signature.text() + without_aliases(signature.schema.substr(arrow)) + "\n";
    }
    const Object module_name = Object::checked(PyUnicode_FromFormat("%U_docs", self.module_name));
    const Object module(PyImport_Import(module_name.get()));
    const Object texts(module ? PyObject_GetAttrString(module.get(), "DOCS") : nullptr);
    PyErr_Clear();  // a module without documentation
    PyObject* const own = texts ? PyDict_GetItemString(texts.get(), self.function->name) : nullptr;
    if (own != nullptr) text += "\n" + std::string(text_from(own)) + "\n";
    return to_python(text);
  });
}

PyObject* reduce(PyObject* self, PyObject*) { return PyUnicode_FromString(function_of(self).function->name); }

PyGetSetDef properties[] = {
    {"__doc__", documentation, nullptr, nullptr, nullptr},
    {"__name__", [](PyObject* self, void*) { return PyUnicode_FromString(function_of(self).function->name); }, nullptr,
     nullptr, nullptr},
    {"__qualname__", [](PyObject* self, void*) { return PyUnicode_FromString(function_of(self).function->name); },
     nullptr, nullptr, nullptr},
    {"__module__", [](PyObject* self, void*) { return Py_NewRef(function_of(self).module_name); }, nullptr, nullptr,
     nullptr},
    {}};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};

// Functions live as long as the process: methods of Tensor refer to them.
PyObject* new_function(const Function& function, PyObject* module_name) {
  PyObject* const object = Object::checked(PyType_GenericAlloc(function_type, 0)).release();
  FunctionObject& self = function_of(object);
  self.vectorcall = call;
  self.function = &function;
  self.module_name = Py_NewRef(module_name);
  self.signatures = nullptr;
  return object;
}

void dealloc(PyObject* object) {
  FunctionObject& self = function_of(object);
  Py_DECREF(self.module_name);
  delete self.signatures;
  free_object(object);
}

void add_functions(PyObject* module, PyObject* module_name, const FunctionTable& table) {
  auto* const tensor = reinterpret_cast<PyObject*>(tensor_type);
  for (std::size_t i = 0; i < table.count; ++i) {
    const Function& function = table.functions[i];
    const Object object(new_function(function, module_name));
    if (PyModule_AddObjectRef(module, function.name, object.get()) < 0) throw PythonError();
    if (!function.is_method) continue;
    const Object name = Object::checked(PyUnicode_InternFromString(function.name));
    // Methods of the core come first. Methods of PyTorch that are missing raise an AttributeError.
    const bool is_own = PyObject_HasAttr(tensor, name.get()) != 0;
    if (!is_own && PyObject_SetAttr(tensor, name.get(), object.get()) < 0) throw PythonError();
  }
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
                         {}};

}  // namespace

void add_function_type(PyObject* module) {
  constexpr unsigned long flags = Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_METHOD_DESCRIPTOR | has_vectorcall;
  function_type = add_type(module, {"structured._Function", sizeof(FunctionObject), nullptr, flags},
                           {slot(Py_tp_members, members), slot(Py_tp_call, call_with_tuple),
                            slot(Py_tp_descr_get, bind_method), slot(Py_tp_repr, repr), slot(Py_tp_getset, properties),
                            slot(Py_tp_methods, methods), slot(Py_tp_dealloc, dealloc)});
}

PyObject* create_module(const char* name, const FunctionTable* const* tables, std::size_t count) {
  return guarded([&]() -> PyObject* {
    const std::string_view text = name;
    const bool is_own = text == "_operators";
    if (!is_own) static_cast<void>(Object::checked(PyImport_ImportModule("structured")));
    const std::string full_name = is_own ? "structured._operators" : std::string(text);
    // A module definition must outlive the module.
    auto* const definition =
        new PyModuleDef{PyModuleDef_HEAD_INIT, name, nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
    Object module = Object::checked(PyModule_Create(definition));
    const Object module_name = Object::checked(to_python(std::string_view(full_name)));
    for (std::size_t i = 0; i < count; ++i) add_functions(module.get(), module_name.get(), *tables[i]);
    return module.release();
  });
}

}  // namespace structured::python
