"""gdb pretty-printers for Tensor, Scalar, ArrayRef and Value, and functions that `step` does not enter.

gdb loads this file by itself when it loads the runtime library, if the library's folder is on gdb's `auto-load
safe-path`; otherwise `source` it.
"""
import gdb
import gdb.printing

DTYPES = {
    'Byte': 'unsigned char', 'Char': 'signed char', 'Short': 'short', 'Int': 'int', 'Long': 'long', 'Float': 'float',
    'Double': 'double', 'Bool': 'bool',
}
MAX_ELEMENTS = 1000


def enumerator(value):
    """The name of an enumerator without its type: `Float`."""
    return str(value).rsplit('::', 1)[-1]


def device_name(kind, index):
    try:
        name = enumerator(gdb.Value(kind).cast(gdb.lookup_type('structured::DeviceType'))).lower()
    except gdb.error:
        name = 'device type %d' % kind
    return name if index < 0 else '%s:%d' % (name, index)


class TensorPrinter:
    """`Tensor Float[2, 3] on cpu`, with the elements as children where the host can read them."""

    def __init__(self, value):
        self.impl = value['impl_']
        if not self.impl:
            return
        impl = self.impl.dereference()
        word = int(impl['signature_']['word'])
        self.device_type = word & 0xff
        self.index = (word >> 8 & 0xff ^ 0x80) - 0x80
        dtype = gdb.Value(word >> 16 & 0xff).cast(gdb.lookup_type('structured::ScalarType'))
        self.dtype = enumerator(dtype)
        rank = word >> 24
        self.sizes = [int(impl['sizes_'][d]) for d in range(rank)]
        self.strides = [int(impl['strides_'][d]) for d in range(rank)]
        storage = impl['storage_']['impl_']
        self.data = int(storage['data_']) if storage else 0
        self.offset = int(impl['storage_offset_'])

    def to_string(self):
        if not self.impl:
            return 'Tensor (undefined)'
        text = 'Tensor %s%s on %s' % (self.dtype, self.sizes, device_name(self.device_type, self.index))
        contiguous = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides)):
            if stride != contiguous and size != 1:
                return text + ' strides %s' % self.strides
            contiguous *= size
        return text

    def children(self):
        if not self.impl or self.device_type != 0 or not self.data or self.dtype not in DTYPES:
            return
        element = gdb.lookup_type(DTYPES[self.dtype])
        start = gdb.Value(self.data).cast(element.pointer()) + self.offset
        count = 1
        for size in self.sizes:
            count *= size
        index = [0] * len(self.sizes)
        for _ in range(min(count, MAX_ELEMENTS)):
            at = sum(i * stride for i, stride in zip(index, self.strides))
            yield str(index), (start + at).dereference()
            for d in reversed(range(len(index))):
                index[d] += 1
                if index[d] < self.sizes[d]:
                    break
                index[d] = 0


class ScalarPrinter:
    """`Scalar 2.5`."""

    MEMBERS = {'boolean': 'integer_', 'integer': 'integer_', 'real': 'real_', 'complex': 'complex_'}

    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = enumerator(self.value['kind_'])
        member = self.value[self.MEMBERS[kind]]
        if kind == 'boolean':
            return 'Scalar true' if int(member) else 'Scalar false'
        return 'Scalar %s' % member.format_string()


class ArrayRefPrinter:
    """`ArrayRef of 2`, with the elements as children."""

    ABSENT = 2**64 - 1

    def __init__(self, value):
        self.value = value
        self.size = int(value['size_'])

    def to_string(self):
        return 'ArrayRef absent' if self.size == self.ABSENT else 'ArrayRef of %d' % self.size

    def children(self):
        if self.size == self.ABSENT:
            return
        for i in range(min(self.size, MAX_ELEMENTS)):
            yield '[%d]' % i, self.value['data_'][i]

    def display_hint(self):
        return 'array'


class ValuePrinter:
    """`Value tensor = Tensor Float[2] on cpu`; a list has its elements as children."""

    LISTS = {
        'tensor_list': 'structured::Tensor', 'int_list': 'long', 'double_list': 'double', 'bool_list': 'bool',
        'scalar_list': 'structured::Scalar', 'string_list': 'std::string',
    }

    def __init__(self, value):
        self.value = value
        self.elements = None
        kind = enumerator(value['kind_'])
        if kind in self.LISTS:
            # The members of detail::SharedList, whose type need not be in the debug information.
            words = value['payload_']['list'].cast(gdb.lookup_type('unsigned long').pointer())
            self.size = int(words[1])
            self.elements = words[2].cast(gdb.lookup_type(self.LISTS[kind]).pointer())

    def children(self):
        for i in range(min(self.size, MAX_ELEMENTS) if self.elements is not None else 0):
            yield '[%d]' % i, self.elements[i]

    def display_hint(self):
        return None if self.elements is None else 'array'

    def to_string(self):
        kind = enumerator(self.value['kind_'])
        if kind == 'none':
            return 'Value none'
        payload = self.value['payload_']
        if kind in [field.name for field in payload.type.fields()]:
            return 'Value %s = %s' % (kind, payload[kind].format_string())
        return 'Value %s' % kind if self.elements is None else 'Value %s of %d' % (kind, self.size)


def build():
    printers = gdb.printing.RegexpCollectionPrettyPrinter('structured')
    printers.add_printer('Tensor', '^structured::Tensor$', TensorPrinter)
    printers.add_printer('Scalar', '^structured::Scalar$', ScalarPrinter)
    printers.add_printer('ArrayRef', '^structured::ArrayRef<.*>$', ArrayRefPrinter)
    printers.add_printer('Value', '^structured::Value$', ValuePrinter)
    return printers


# Functions between a call and its kernel that `step` would enter otherwise: handles, their members, dispatch, and the
# adaptors of emitted wrappers.
SKIPPED = [
    r'(Tensor|TensorImpl|Storage|Scalar|ArrayRef<.*>|OptionalIntArrayRef|TensorOptions|TensorSignature|Device|DimVector'
    r'|Dimname|Value|Stack|LayerSet|RefCount|BorrowedTensor)::.*',
    r'(active_layers|dispatch_backend|dispatch_key|device_of|check_same_device)(<.*>)?[(].*',
    r'detail::(highest_key|highest_unchecked_key|key_of_argument|higher|StorageImpl|RefCount|allocate_host|deallocate_host).*',
    r'(DeviceGuard|MetaBase|(detail::)?(Adaptor|Functional|Out|Inplace)<.*>)::.*',
    r'Operator<.*>::kernel[(].*',
]
for pattern in [] if 'structured::' in gdb.execute('info skip', to_string=True) else SKIPPED:  # once for all programs
    gdb.execute("skip -rfunction '^structured::" + pattern + "'", to_string=True)
gdb.printing.register_pretty_printer(gdb.current_objfile(), build(), replace=True)
