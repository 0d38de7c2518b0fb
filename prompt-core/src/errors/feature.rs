//! Errors of the compiler for functions whose feature is off.

/// Never implemented: the compiler says why.
#[cfg(not(feature = "schemars"))]
#[diagnostic::on_unimplemented(
    message = "this function needs the feature `schemars` of prompt-core",
    label = "needs the feature `schemars`"
)]
pub trait NeedsSchemars {
    /// What cannot be had.
    fn never<T>() -> T;
}

/// Never implemented: the compiler says why.
#[cfg(not(feature = "yaml"))]
#[diagnostic::on_unimplemented(
    message = "this function needs the feature `yaml` of prompt-core",
    label = "needs the feature `yaml`"
)]
pub trait NeedsYaml {
    /// What cannot be had.
    fn never<T>(&self) -> T;
}

/// Never implemented: the compiler says why.
#[cfg(not(feature = "toml"))]
#[diagnostic::on_unimplemented(
    message = "this function needs the feature `toml` of prompt-core",
    label = "needs the feature `toml`"
)]
pub trait NeedsToml {
    /// What cannot be had.
    fn never<T>(&self) -> T;
}
