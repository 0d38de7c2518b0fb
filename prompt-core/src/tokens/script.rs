//! Letters beyond ASCII, by what they cost.

/// Groups of scripts and symbols that cost alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Han,
    Kana,
    Hangul,
    /// Cyrillic and Greek.
    Cyrillic,
    /// Hebrew and Arabic.
    Arabic,
    /// The scripts of India.
    Indic,
    /// Thai, Lao, Khmer, Burmese, Tibetan.
    Thai,
    /// Quotation marks, dashes, arrows, punctuation of all scripts.
    Symbol,
    Emoji,
    /// What joins and colours emoji.
    Joiner,
    /// All else.
    Rare,
}

pub(super) fn is_latin(character: char) -> bool {
    matches!(character,
        'a'..='z' | 'A'..='Z' | '\u{aa}' | '\u{b5}' | '\u{ba}' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}')
}

/// Unicode blocks, as far as they cost alike.
pub(super) fn script_of(character: char) -> Script {
    match character {
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{3005}' => Script::Han,
        '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Script::Kana,
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => Script::Hangul,
        '\u{370}'..='\u{52f}' => Script::Cyrillic,
        '\u{590}'..='\u{7ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => Script::Arabic,
        '\u{900}'..='\u{dff}' => Script::Indic,
        '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Script::Thai,
        '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}' => Script::Joiner,
        '\u{80}'..='\u{bf}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2000}'..='\u{25ff}'
        | '\u{3000}'..='\u{303f}'
        | '\u{ff00}'..='\u{ff65}' => Script::Symbol,
        '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => {
            Script::Emoji
        }
        _ => Script::Rare,
    }
}
