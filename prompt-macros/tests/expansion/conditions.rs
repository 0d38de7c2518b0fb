/// {?note}{note}{/note}{?!rules}No rules.{/rules}
///
/// {rules}
struct Conditions {
    note: Option<String>,
    #[var(item = "- {item.name}{?item.note} ({item.note}){/item.note}")]
    stations: Vec<Station>,
    #[section(template = "{stations}", summary = "{?item.short}{item.name}", item_key = name)]
    rules: Vec<Rule>,
}
