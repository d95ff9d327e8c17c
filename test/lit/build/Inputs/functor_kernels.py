"""functor_kernels.py OPERATORS_JSON HOST_HEADERS...: prints a CUDA source whose kernel calls every pointwise function on the
device, with one type of each kind that the function accepts, except those in HOST_HEADERS."""
import json
import sys

TYPES = {'floating': ['float', 'double'], 'integral': ['int64_t', 'uint8_t'], 'bool': ['bool'],
         'complex': ['structured::Complex<float>'], 'float': ['float'], 'double': ['double'], 'char': ['int8_t'],
         'short': ['int16_t'], 'int': ['int32_t'], 'long': ['int64_t'], 'bfloat16': ['structured::BFloat16']}


def main(path, *host_headers):
    with open(path, encoding='utf-8') as file:
        operators = [op['pointwise'] for op in json.load(file)['operators'] if 'pointwise' in op]
    missing = set(host_headers) - {op['function']['source'] for op in operators}
    if missing:
        sys.exit(f'no pointwise function is in {sorted(missing)}')
    operators = [op for op in operators if op['function']['source'] not in host_headers]
    headers = sorted({op['function']['source'] for op in operators})
    print('#include <structured/number/bfloat16.h>\n\n#include <cstdint>\n')
    print(''.join(f'#include "{header}"\n' for header in headers))
    uses = set()
    for op in operators:
        kinds = op.get('dtypes') or (['floating', 'complex'] if op.get('promotion') == 'int_to_float' else
                                     ['floating', 'integral', 'bool', 'complex'])
        for kind in kinds:
            uses |= {f'&{op["function"]["name"]}<{name}>' for name in TYPES[kind]}
    print('__global__ void all(void** to) {')
    for at, function in enumerate(sorted(uses)):
        print(f'  to[{at}] = reinterpret_cast<void*>({function});')
    print('}')


main(*sys.argv[1:])
