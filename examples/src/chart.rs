//! A line chart as SVG text, for `long_chat --svg`.

use std::fmt::Write as _;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called in the legend.
    pub name: String,
    /// The value at each step, from the first on.
    pub values: Vec<f64>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 40.0;
/// Colours that people who do not see red or green can tell apart (Okabe and Ito's).
const COLOURS: [&str; 8] = [
    "#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7",
];

/// The chart: same lines, same bytes.
#[must_use]
pub fn svg(title: &str, steps: &str, unit: &str, lines: &[Line]) -> String {
    let longest = lines
        .iter()
        .map(|line| line.values.len())
        .max()
        .unwrap_or(0);
    let values = lines.iter().flat_map(|line| line.values.iter().copied());
    let highest = values.fold(1.0, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
        escaped(title)
    );
    axes(&mut svg, (steps, longest), (unit, highest));
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = line
            .values
            .iter()
            .enumerate()
            .map(|(step, value)| format!("{:.1},{:.1}", across(step, longest), up(*value, highest)))
            .collect();
        let legend = TOP + 16.0 * number(index) + 8.0;
        let (from, to) = (WIDTH - RIGHT + 12.0, WIDTH - RIGHT + 32.0);
        push(
            &mut svg,
            format_args!(
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>\n\
                 <path stroke=\"{colour}\" stroke-width=\"3\" d=\"M{from} {legend}H{to}\"/>\n\
                 <text x=\"{}\" y=\"{}\">{}</text>\n",
                points.join(" "),
                to + 6.0,
                legend + 4.0,
                escaped(&line.name)
            ),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn axes(svg: &mut String, (steps, longest): (&str, usize), (unit, highest): (&str, f64)) {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    push(
        svg,
        format_args!(
            "<path fill=\"none\" stroke=\"#888\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{highest:.0}</text>\n\
             <text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">0</text>\n\
             <text x=\"{LEFT}\" y=\"34\" fill=\"#555\">{}</text>\n\
             <text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{longest} {}</text>\n",
            LEFT - 6.0,
            TOP + 10.0,
            LEFT - 6.0,
            escaped(unit),
            bottom + 20.0,
            escaped(steps)
        ),
    );
}

fn across(step: usize, longest: usize) -> f64 {
    let last = number(longest.saturating_sub(1).max(1));
    LEFT + (WIDTH - LEFT - RIGHT) * number(step) / last
}

fn up(value: f64, highest: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest
}

#[allow(clippy::cast_precision_loss, reason = "a few thousand steps")]
fn number(count: usize) -> f64 {
    count as f64
}

/// Writing to a string cannot fail.
fn push(svg: &mut String, part: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(part);
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
