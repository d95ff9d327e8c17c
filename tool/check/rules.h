// Every rule, by subject. A rule is a function that reports one kind of finding; check() runs them all.
#pragma once

#include "check/checker.h"

namespace structured::gen {

// linkage.cpp
void check_readability(Checker& checker);
void check_linkage(Checker& checker);
void check_parameter_names(Checker& checker);

// attributes.cpp
void check_attribute_arguments(Checker& checker);
void check_attribute_placement(Checker& checker);
void check_roles(Checker& checker);

// attribute_values.cpp
void check_backends(Checker& checker);
void check_own_backends(Checker& checker);
void check_dtypes(Checker& checker);
void check_promotion(Checker& checker);
void check_no_cpp_default(Checker& checker);
void check_result_names(Checker& checker);

// arguments.cpp
void check_kwonly(Checker& checker);
void check_size(Checker& checker);
void check_symint(Checker& checker);
void check_alias(Checker& checker);
void check_schema_defaults(Checker& checker);
void check_out_attribute(Checker& checker);

// names.cpp
void check_operator_names(Checker& checker);
void check_function_names(Checker& checker);
void check_variant_names(Checker& checker);

// types.cpp
void check_argument_types(Checker& checker);
void check_defaults(Checker& checker);
void check_results(Checker& checker);

// meta.cpp
void check_meta_bases(Checker& checker);
void check_hidden_classes(Checker& checker);
void check_written_inputs(Checker& checker);

// impls.cpp
void check_impl_parameters(Checker& checker);
void check_impl_defaults(Checker& checker);

// outputs.cpp
void check_impl_output_types(Checker& checker);
void check_impl_outputs_agree(Checker& checker);
void check_output_names(Checker& checker);
void check_returns_count(Checker& checker);

// inplace.cpp
void check_inplace_self(Checker& checker);
void check_inplace_outputs(Checker& checker);

// kernels.cpp, kernel_signatures.cpp
void check_kernel_outputs(Checker& checker);
void check_kernels_against_schema(Checker& checker);
void check_kernels_agree(Checker& checker);
void check_meta_kernels(Checker& checker);

// duplicates.cpp
void check_duplicate_impls(Checker& checker);
void check_duplicate_metas(Checker& checker);
void check_duplicate_schemas(Checker& checker);
void check_overloads(Checker& checker);
void check_own_functions(Checker& checker);

// sources.cpp
void check_references(Checker& checker);
void check_metas_have_impls(Checker& checker);

// imports.cpp
void check_imported_roles(Checker& checker);
void check_imported_names(Checker& checker);

// pointwise.cpp
void check_pointwise_form(Checker& checker);
void check_pointwise_places(Checker& checker);
void check_pointwise_parameters(Checker& checker);

// backward.cpp
void check_backward_parameters(Checker& checker);
void check_backward_results(Checker& checker);

// bodies.cpp
void check_outputs_are_set(Checker& checker);
void check_outputs_are_set_once(Checker& checker);
void check_impls_keep_sizes(Checker& checker);
void check_impls_keep_handles(Checker& checker);
void check_impl_preconditions(Checker& checker);

}  // namespace structured::gen
