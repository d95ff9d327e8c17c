from setuptools import setup
from structured_gen.torch import BuildExtension, StructuredExtension

setup(
    ext_modules=[StructuredExtension('my_ops', ['kernels/@source@']@setup_options@)],
    cmdclass={'build_ext': BuildExtension},
)
