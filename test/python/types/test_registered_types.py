"""Each type of the registry as an argument and as a result, by the functions of registered_types.cpp."""
import pytest

import registered_types_py as registered
import structured as st

SAMPLES = {
    "Tensor": st.ones(2), "Scalar": 0.5, "Int": 7, "Float": 0.25, "Bool": True, "Str": "text", "SymInt": 8,
    "ScalarType": st.float16, "Layout": st.strided, "Device": st.device("cpu"), "MemoryFormat": st.channels_last,
    "Generator": st.Generator().manual_seed(5), "QScheme": st.per_channel_affine, "Dimname": "N",
}
# They have no objects in Python: None alone is accepted.
OBJECTLESS = "Storage", "Stream"
NAMES = sorted(name for name in dir(registered) if callable(getattr(registered, name)) and not name.startswith("_"))


def is_equal(given, found):
    if isinstance(given, st.Tensor):
        return found.equal(given)
    if isinstance(given, st.Generator):
        return found.initial_seed() == given.initial_seed()
    return type(found) is type(given) and found == given


def test_every_type_has_functions():
    bases = {name.split("_")[0] for name in NAMES}
    assert bases == set(SAMPLES) | set(OBJECTLESS)


@pytest.mark.parametrize("name", NAMES)
def test_values_return_unchanged(name):
    function = getattr(registered, name)
    base, _, wrappers = name.partition("_")
    if base in OBJECTLESS:
        with pytest.raises(TypeError, match="no objects in Python"):
            function(st.ones(2))
    elif wrappers.endswith("list"):
        sample = SAMPLES[base]
        found = function([sample, sample])
        assert len(found) == 2 and all(is_equal(sample, each) for each in found)
        assert function([]) == ()
    else:
        assert is_equal(SAMPLES[base], function(SAMPLES[base]))
    if wrappers.startswith("optional"):
        assert function(None) is None
    elif base != "Dimname" or wrappers:
        with pytest.raises(TypeError):
            function(None)
