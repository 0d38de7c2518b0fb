//! The system prompt.

use prompt_agent::answer::AnswerFormat;
use prompt_core::{PromptNode, Skill, ToolSpec};

/// You are the assistant of {shop}, a hardware shop in {town}.
///
/// {?after_hours}The counter is closed now. Offer a call back tomorrow.
///
/// ## How to work
///
/// {PROMPT_SUBTREE}
///
/// ## Answer
///
/// Answer in this form:
///
/// {form}
#[derive(Clone, Debug, PromptNode)]
#[prompt(tools = self.tools.clone())]
pub struct Assistant {
    pub tools: Vec<ToolSpec>,
    pub shop: String,
    pub town: String,
    pub after_hours: bool,
    pub form: AnswerFormat,

    /// Ask for the material and the load before you name a product.
    /// Look prices and stock up. Never guess them.
    #[section]
    pub method: (),

    #[section(tag = "critical_rules", priority = "required")]
    pub rules: Vec<String>,

    /// What customers may bring back, and until when:
    #[section(
        visibility = "summary",
        summary = "The rules of {shop} for returns and refunds.",
        priority = 60
    )]
    pub returns: Returns,

    /// What we bring to the door, and what it costs:
    #[section(
        visibility = "summary",
        summary = "Zones, prices and times of delivery around {town}.",
        priority = 50
    )]
    pub delivery: Delivery,

    /// How to do a job at home. Open one before you explain a job.
    #[section(item_key = name, visibility = "summary", priority = 20)]
    pub skills: Vec<Skill>,
}

/// Unused goods with the receipt: {days} days, money back.
///
/// Cut timber and mixed paint are not taken back.
#[derive(Clone, Debug, PromptNode)]
pub struct Returns {
    pub days: u32,
    /// Only on parts that were not opened.
    #[section]
    pub electrical: (),
}

/// Where the van goes.
#[derive(Clone, Debug, PromptNode)]
#[prompt(template = "")]
pub struct Delivery {
    #[section(untitled, item = "- {item.name}: {item.price:.2} EUR")]
    pub zones: Vec<Zone>,
}

#[derive(Clone, Debug)]
pub struct Zone {
    pub name: String,
    pub price: f64,
}

impl Zone {
    pub fn new(name: &str, price: f64) -> Self {
        let name = name.into();
        Self { name, price }
    }
}
