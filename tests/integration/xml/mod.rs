//! Tags: printed, guarded, validated, linted.

mod absent;
mod author_tags;
mod cases;
mod guard;
mod guard_places;
mod guard_policies;
mod guard_properties;
mod guard_templates;
mod guarding;
mod items;
mod lint;
mod validate;
