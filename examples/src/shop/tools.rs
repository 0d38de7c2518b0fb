//! What the assistant can do.

use prompt_agent::Tools;
use prompt_core::ToolSpec;
use prompt_core::tool::ToolSpecError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Looks up how many pieces are in the shop.
#[derive(Deserialize, JsonSchema)]
struct CheckStock {
    /// The article number, such as HX-1042.
    sku: String,
}

#[derive(Serialize)]
struct Stock {
    sku: String,
    pieces: u32,
    aisle: &'static str,
}

/// Looks up the price of an article.
#[derive(Deserialize, JsonSchema)]
struct Price {
    sku: String,
    /// Pieces, at least 1.
    #[schemars(range(min = 1))]
    quantity: u32,
}

/// Puts an article aside until tomorrow evening.
#[derive(Deserialize, JsonSchema)]
struct Reserve {
    sku: String,
    quantity: u32,
    /// For the counter.
    customer: Option<String>,
    when: Pickup,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Pickup {
    Today,
    Tomorrow,
}

/// Faults of the arguments are told to the model before any of these runs.
pub(super) fn tools() -> Result<Tools, ToolSpecError> {
    Tools::new()
        .add(ToolSpec::of::<CheckStock>("check_stock")?, check_stock)?
        .add(
            ToolSpec::of::<Price>("price")?,
            |asked: Price| json!({ "sku": asked.sku, "total": 4.5 * f64::from(asked.quantity) }),
        )?
        .add(ToolSpec::of::<Reserve>("reserve")?, |asked: Reserve| {
            let customer = asked.customer.unwrap_or_else(|| "the customer".into());
            let Reserve {
                sku,
                quantity,
                when,
                ..
            } = asked;
            format!("Reserved {quantity} x {sku} for {customer} ({when:?}).")
        })
}

fn check_stock(asked: CheckStock) -> Result<Stock, String> {
    if !asked.sku.starts_with("HX-") {
        return Err(format!("There is no article {}.", asked.sku));
    }
    Ok(Stock {
        sku: asked.sku,
        pieces: 12,
        aisle: "C4",
    })
}
