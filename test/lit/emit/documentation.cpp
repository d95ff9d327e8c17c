// Commands of Doxygen in comments: kept in documentation.h, converted for terminals, catalogues and Python.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/out/include/acme/documentation.h
// RUN: %structured_gen explain scale %t/out/operators.json | FileCheck %s --check-prefix=EXPLAIN
// RUN: %structured_gen docs -o %t/page.md %t/out/operators.json
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t/page.md
// RUN: %structured_gen docs -o %t/page.html %t/out/operators.json
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t/page.html
// RUN: %structured_gen python --module=acme_py --output-dir %t/py %t/out/operators.json
// RUN: cd %t/py && %python -c 'import acme_py_docs; print(acme_py_docs.DOCS["scale"])' | FileCheck %s --check-prefix=PYTHON

#include <structured/structured.h>

namespace acme::kernels {
using namespace structured;

/// \brief Computes \f$x \cdot f\f$ for each element.
///
/// Long text about \p self.
/// \param[in] self the input, of any
///     shape
/// \param factor a number < 10
/// \return a new tensor
/// \throws structured::Error if \p factor is negative
[[structured::composite("scale")]]
Tensor scale(const Tensor& self, double factor);

// HEADER: /// \brief Computes \f$x \cdot f\f$ for each element.
// HEADER-NEXT: ///
// HEADER-NEXT: /// Long text about \p self.
// HEADER-NEXT: /// \param[in] self the input, of any
// HEADER-NEXT: ///     shape
// HEADER-NEXT: /// \param factor a number < 10
// HEADER-NEXT: /// \return a new tensor
// HEADER-NEXT: /// \throws structured::Error if \p factor is negative

// EXPLAIN: documentation
// EXPLAIN-NEXT: Computes $x \cdot f$ for each element.
// EXPLAIN: Long text about `self`.
// EXPLAIN: Args:
// EXPLAIN-NEXT: self: the input, of any shape
// EXPLAIN-NEXT: factor: a number < 10
// EXPLAIN: Returns:
// EXPLAIN-NEXT: a new tensor
// EXPLAIN: Raises:
// EXPLAIN-NEXT: structured::Error: if `factor` is negative
// EXPLAIN-NEXT: schemas

// PAGE: | Computes $x \cdot f$ for each element. |

// HTML: Computes $x \cdot f$ for each element.<p>Long text about <code>self</code>.
// HTML-SAME: <dl><dt>Parameters</dt><dd><code>self</code> the input, of any shape</dd>
// HTML-SAME: <dd><code>factor</code> a number &lt; 10</dd></dl>
// HTML-SAME: <dl><dt>Returns</dt><dd>a new tensor</dd></dl>
// HTML-SAME: <dl><dt>Throws</dt><dd><code>structured::Error</code> if <code>factor</code> is negative</dd></dl>

// PYTHON: Computes $x \cdot f$ for each element.
// PYTHON: {{^}}Args:
// PYTHON-NEXT: {{^}}    self: the input, of any shape
// PYTHON-NEXT: {{^}}    factor: a number < 10
// PYTHON-EMPTY:
// PYTHON-NEXT: {{^}}Returns:
// PYTHON-NEXT: {{^}}    a new tensor
// PYTHON-EMPTY:
// PYTHON-NEXT: {{^}}Raises:
// PYTHON-NEXT: {{^}}    structured::Error: if `factor` is negative

}  // namespace acme::kernels
