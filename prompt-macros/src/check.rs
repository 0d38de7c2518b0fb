//! The rules that a model must keep, one function each.

use crate::{
    diagnostic::{Diagnostic, Errors},
    model::{Model, Node},
};

/// Checks all rules.
pub(crate) fn check(model: &Model, errors: &mut Errors) {
    for node in model.nodes() {
        let _ = (node, &errors);
    }
}
