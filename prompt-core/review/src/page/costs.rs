//! What the prompt costs: the table of all sections, with bars that add up to the whole.

use super::{PARTS, Page, class, link, percent};
use crate::html::{badge, part, words};
use maud::{Markup, html};
use prompt_core::prompt::PreviewForm;
use std::ops::Range;

impl Page<'_> {
    /// Rows stand in preorder, so what is inside a section follows it, and bars that begin where the last one ended add
    /// up to the whole.
    pub(super) fn costs(&self) -> Markup {
        let preview = self.preview;
        let own = preview.own.unwrap_or_default();
        let sum = own + preview.rows.iter().map(|row| row.tokens).sum::<usize>();
        let scale = sum.max(preview.tokens);
        let mut before = own;
        let table = html! {
            table.costs role="table" {
                caption {
                    "Tokens of each section's own text. Each bar begins where the last one ends; light is what is inside the section."
                }
                thead role="rowgroup" {
                    tr role="row" {
                        th role="columnheader" scope="col" { "Section" }
                        th.number role="columnheader" scope="col" { "Tokens" }
                        th role="columnheader" scope="col" { "Share" }
                    }
                }
                tbody role="rowgroup" {
                    @if preview.own.is_some() {
                        tr role="row" { th role="rowheader" scope="row" { "(own text)" } (cost(0..own, own, scale)) }
                    }
                    @for (index, row) in preview.rows.iter().enumerate() {
                        tr role="row" data-row={ "section-" (index) } {
                            th role="rowheader" scope="row" class={ "depth-" (row.depth.clamp(1, 6)) } {
                                (link(index, row)) " "
                                @if row.form != PreviewForm::Full { (badge(class(row.form), words(row.form))) }
                                @match self.lints[index].len() {
                                    0 => {},
                                    1 => (badge("volatile", "1 hint")),
                                    many => (badge("volatile", &format!("{many} hints"))),
                                }
                            }
                            ({
                                let from = before;
                                before += row.tokens;
                                cost(from..before, self.sums[index], scale)
                            })
                        }
                    }
                }
                tfoot role="rowgroup" { (self.total(sum, scale)) }
            }
        };
        part(PARTS[1], &table)
    }

    /// The last rows. Whole and parts are counted apart: tokens may begin in one part and end in the next.
    fn total(&self, sum: usize, scale: usize) -> Markup {
        let (tokens, limit) = (self.preview.tokens, self.preview.limit);
        let sign = if tokens > sum { '+' } else { '−' };
        let words = if limit.is_some() && tokens > sum {
            "all else that the budget counts"
        } else {
            "counted as one text"
        };
        html! {
            @if sum != tokens {
                tr role="row" { th role="rowheader" scope="row" { (words) } td.number role="cell" { (sign) (tokens.abs_diff(sum)) } td role="cell" {} }
            }
            tr.sum role="row" { th role="rowheader" scope="row" { "Together" } (cost(0..tokens, tokens, scale)) }
            @if let Some(limit) = limit {
                tr role="row" {
                    th role="rowheader" scope="row" { "Budget" }
                    td.number role="cell" { (limit) }
                    td role="cell" { (limit.saturating_sub(tokens)) " free" }
                }
            }
        }
    }
}

/// Tokens of a row's own text, and a bar from where the last one ended: eyes see where it stands in the whole, ears hear the
/// share. `sum` is the row with all that is inside it.
fn cost(own: Range<usize>, sum: usize, scale: usize) -> Markup {
    let per_mille = |tokens: usize| {
        let tenths = tokens.saturating_mul(1000).checked_div(scale);
        let tenths = tenths.unwrap_or_default();
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    let (tokens, left) = (own.len(), per_mille(own.start));
    let share = percent(tokens, scale);
    let label = if tokens == sum {
        format!("{share} %")
    } else {
        let inside = percent(sum, scale);
        format!("{share} %, with what is inside it {inside} %")
    };
    html! {
        td.number role="cell" { (tokens) }
        td.share role="cell" {
            span.bar role="img" aria-label=(label) {
                @for (class, tokens) in [("sum", sum), ("own", tokens)] {
                    span class=(class) style={ "left:" (left) "%;width:" (per_mille(tokens)) "%" } {}
                }
            }
            span aria-hidden="true" { (share) " %" }
        }
    }
}
