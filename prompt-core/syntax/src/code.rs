//! The stable codes of all diagnostics, at compile time and at run time.

use core::fmt;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal,)+) => {
        /// The name of a rule. `Display` and [`Code::as_str`] give its stable spelling.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, in the order of the reference page.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The stable spelling, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }
        }
    };
}

codes! {
    /// A `{name}` that is no field, `vars` entry or value.
    UnknownVariable = "unknown_variable",
    /// `{ name }`: blanks inside the braces of a known name.
    SpacedVariable = "spaced_variable",
    /// `{name` without its closing brace.
    UnclosedBrace = "unclosed_brace",
    /// A format spec that cannot be used here.
    UnsupportedSpec = "unsupported_spec",
    /// A brace that begins with a known name and is no variable: `{a.len()}`, `{!a}`.
    UnsupportedExpression = "unsupported_expression",
    /// `{0}` in a type with such a field: tuple fields have no names, and this is text.
    TupleField = "tuple_field",
    /// Two braces around a name: one of them is printed, and no value.
    DoubledBraces = "doubled_braces",
    /// `{_}` in a fence, where it is text.
    NothingInCode = "nothing_in_code",
    /// A `{?name}` without its `{/name}`.
    UnclosedCondition = "unclosed_condition",
    /// A `{*name}` without its `{/name}`.
    UnclosedLoop = "unclosed_loop",
    /// A `{/name}` that ends no condition or loop, or another one.
    MismatchedCondition = "mismatched_condition",
    /// An `{else}` without a condition or loop, or a second one.
    StrayElse = "stray_else",
    /// A slot inside a loop.
    SlotInLoop = "slot_in_loop",
    /// The slot of a section that its text asks about, under another condition than that.
    ConditionalSlot = "conditional_slot",
    /// A loop over what is no list.
    NotAList = "not_a_list",
    /// A name that a loop gives hides one of the node.
    HiddenName = "hidden_name",
    /// A word of another template language: `{else if x}`, `{#if x}`, `{% if x %}`.
    ForeignTemplate = "foreign_template",
    /// A wording leaves out a value or a section that the type's text prints.
    WordingDrops = "wording_drops",
    /// A slot that shares its line.
    SlotNotAlone = "slot_not_alone",
    /// A slot inside a heading.
    SlotInHeading = "slot_in_heading",
    /// The same slot twice in one text.
    DuplicateSlot = "duplicate_slot",
    /// A tree slot in an introduction.
    SlotInSection = "slot_in_section",
    /// Seven or more hashes, or a tree whose headings pass level six.
    HeadingLevel = "heading_level",
    /// Hashes without text.
    EmptyHeading = "empty_heading",
    /// A title that prints nothing: its section has no heading.
    EmptyTitle = "empty_title",
    /// A value that begins a heading no deeper than the one above it.
    HeadingInValue = "heading_in_value",
    /// A section's heading directly below another line.
    TouchingHeading = "touching_heading",
    /// A heading more than one level below the one before.
    SkippedLevel = "skipped_level",
    /// A heading above the level of the first.
    HeadingAboveTop = "heading_above_top",
    /// A line of `=` or `-` under a paragraph, which Markdown reads as a heading.
    SetextHeading = "setext_heading",
    /// The data before the text of a file, printed with it.
    FrontMatter = "front_matter",
    /// A fence that never closes.
    UnclosedFence = "unclosed_fence",
    /// A fence in a text that is printed on one line: a title, an attribute.
    FenceInTitle = "fence_in_title",
    /// Code in a doc comment that rustdoc would compile as a test.
    DoctestFence = "doctest_fence",
    /// An author's note that never closes.
    UnclosedNote = "unclosed_note",
    /// A key that is not `^[a-z0-9][a-z0-9_-]{0,63}$`.
    InvalidKey = "invalid_key",
    /// Two siblings with one key.
    DuplicateKey = "duplicate_key",
    /// An attribute key that does not exist.
    UnknownAttribute = "unknown_attribute",
    /// An attribute with a value it cannot have.
    InvalidValue = "invalid_value",
    /// An attribute given twice: a key, or the attribute of a tag by a section and its type.
    DuplicateAttribute = "duplicate_attribute",
    /// Attributes that exclude each other.
    ConflictingAttributes = "conflicting_attributes",
    /// An entry of `vars` that no text uses.
    UnusedVariable = "unused_variable",
    /// An `Option` that a text prints without saying how.
    MissingDefault = "missing_default",
    /// A list that a text prints without saying how.
    MissingJoin = "missing_join",
    /// A summary that is asked for and not there.
    SummaryMissing = "summary_missing",
    /// A short form that takes as many tokens as the full one.
    SummarySavesNothing = "summary_saves_nothing",
    /// A tool without a description.
    ToolUndescribed = "tool_undescribed",
    /// A section without a place under `append = false`.
    UnplacedSection = "unplaced_section",
    /// A file that cannot be read.
    UnreadableFile = "unreadable_file",
    /// Something a derive cannot work with: a union, text hidden behind a macro.
    UnsupportedInput = "unsupported_input",
    /// A tag name outside `[A-Za-z_][A-Za-z0-9_.-]*`.
    InvalidTag = "invalid_tag",
    /// A tag name that is not snake case, or starts with `xml`.
    Naming = "naming",
    /// A tag name that says nothing, such as `section_3`.
    GenericName = "generic_name",
    /// A tag name over 32 characters.
    LongName = "long_name",
    /// A text of several lines in a tag with `inline`.
    InlineLines = "inline_lines",
    /// Tags nested over four levels.
    OverNesting = "over_nesting",
    /// Markdown headings inside tags.
    MixedStyle = "mixed_style",
    /// A child with a higher priority than its parent.
    PriorityInversion = "priority_inversion",
    /// A value that changes in front of a cache point.
    VolatileBeforeCache = "volatile_before_cache",
    /// A value in front of a cache point.
    ValueBeforeCache = "value_before_cache",
    /// A text of its own in a node whose sections all are messages.
    TextBesideMessages = "text_beside_messages",
    /// A user tool named `open_sections`.
    ReservedToolName = "reserved_tool_name",
    /// Two tools of one name.
    DuplicateTool = "duplicate_tool",
    /// A path that is not in the tree.
    UnknownPath = "unknown_path",
    /// A variable without a value.
    MissingValue = "missing_value",
    /// A tree nested deeper than its format carries.
    TooDeep = "too_deep",
    /// A text of more than two gigabytes.
    TextTooLong = "text_too_long",
    /// A value that would have broken out of its section.
    GuardViolation = "guard_violation",
    /// Required parts that exceed the budget.
    BaseTooLarge = "base_too_large",
    /// A key, a type or a shape that a prompt file or dynamic tree cannot have.
    InvalidInput = "invalid_input",
    /// A value whose own `Display` failed.
    FailedValue = "failed_value",
    /// A model that goes on asking for sections after it was told that nothing more can be opened.
    MaxRounds = "max_rounds",
    /// An argument of `open_sections` that must be there is not.
    MissingArgument = "missing_argument",
    /// An argument that `open_sections` does not have.
    UnexpectedArgument = "unexpected_argument",
    /// An argument of `open_sections` of another type.
    WrongType = "wrong_type",
    /// A reason that is longer than allowed.
    ReasonTooLong = "reason_too_long",
    /// A call of `open_sections` that names no section.
    NoKeys = "no_keys",
    /// A key in a call of `open_sections` that no section has.
    UnknownKey = "unknown_key",
    /// A section that is open already.
    AlreadyExpanded = "already_expanded",
    /// A section inside one that is shown as a summary.
    HiddenSection = "hidden_section",
    /// Sections that do not fit in the budget.
    OverBudget = "over_budget",
    /// Sections that pass the limit of opened tokens.
    OverOpened = "over_opened",
    /// A request for sections after the last round.
    RoundsUsedUp = "rounds_used_up",
    /// A model that goes on asking for what is open.
    AskedAgain = "asked_again",
    /// Sections that bring the opened tokens over the limit, once more after it was said.
    OpenedTokens = "opened_tokens",
    /// Results that are not those of the calls of a turn.
    Results = "results",
    /// Sections are to be opened: the good outcome of `open_sections`.
    ExpansionRequired = "expansion_required",
    /// A call of a tool that is for the program to run.
    OtherTool = "other_tool",
    /// A result whose call does not wait for one.
    CallNotOpen = "call_not_open",
    /// A tool result whose call is not in the messages before it.
    ResultWithoutCall = "result_without_call",
    /// A tool call without a result, although the conversation goes on.
    CallWithoutResult = "call_without_result",
    /// A second result for a call that has one.
    DuplicateResult = "duplicate_result",
    /// Batches of nothing.
    ZeroBatchSize = "zero_batch_size",
    /// A low mark that is not below the high one.
    WatermarksOutOfOrder = "watermarks_out_of_order",
    /// A marker of recaps that is blank or starts with a blank.
    RecapMarkerBlank = "recap_marker_blank",
    /// Recaps of no lines.
    RecapLinesZero = "recap_lines_zero",
    /// A field for recaps that is no JSON pointer.
    RecapFieldInvalid = "recap_field_invalid",
    /// Results of tools are to be cleared above a mark, and there is none.
    ClearingWithoutMark = "clearing_without_mark",
    /// An environment variable that cannot be read.
    UnreadableVariable = "unreadable_variable",
    /// A text that names no task.
    UnknownTask = "unknown_task",
    /// An entry of a config that is no task and no category.
    UnknownEntry = "unknown_entry",
    /// Two entries of a config with one name.
    DuplicateEntry = "duplicate_entry",
    /// A config that cannot be read.
    InvalidConfig = "invalid_config",
    /// An interface that the registry does not have.
    UnknownInterface = "unknown_interface",
    /// An adapter whose factory failed.
    AdapterFailed = "adapter_failed",
    /// What a factory reports of its own.
    FactoryFailed = "factory_failed",
    /// A tool name that providers do not take.
    InvalidToolName = "invalid_tool_name",
    /// A tool schema that breaks a rule of providers.
    InvalidSchema = "invalid_schema",
    /// A message that the format has no way to say.
    Unsupported = "unsupported",
    /// A piece in a message whose role cannot say it.
    MisplacedPiece = "misplaced_piece",
    /// A message that says nothing.
    EmptyMessage = "empty_message",
    /// Arguments of a call that are no JSON object.
    InvalidArguments = "invalid_arguments",
    /// A request with nothing to answer.
    NoTurn = "no_turn",
    /// A setting that the format has no way to say.
    UnsupportedSetting = "unsupported_setting",
    /// An error that the provider answered with.
    ProviderError = "provider_error",
    /// A stream that was cut.
    Unfinished = "unfinished",
    /// An answer that is neither a reply nor an error in JSON.
    NoReply = "no_reply",
    /// JSON that is not what the format prescribes.
    UnexpectedShape = "unexpected_shape",
    /// A name of no provider whose feature is on.
    UnknownProvider = "unknown_provider",
    /// A name of no role.
    UnknownRole = "unknown_role",
    /// An answer that is refused after the last correction.
    TooManyTries = "too_many_tries",
    /// A message that calls other tools and is no answer yet.
    PendingCalls = "pending_calls",
    /// A model or provider that refused to answer.
    Filtered = "filtered",
    /// A turn that the provider interrupted.
    Paused = "paused",
    /// An example that does not fit the type of the answer.
    InvalidExample = "invalid_example",
    /// A file that must begin with front matter and does not.
    NoFrontMatter = "no_front_matter",
    /// Front matter that never ends.
    UnclosedFrontMatter = "unclosed_front_matter",
    /// Front matter that does not say what it has to.
    InvalidFrontMatter = "invalid_front_matter",
}

impl Code {
    /// Whether `allow(..)` can switch the rule off.
    pub const fn can_allow(self) -> bool {
        matches!(
            self,
            Code::SpacedVariable
                | Code::UnclosedBrace
                | Code::DoctestFence
                | Code::TupleField
                | Code::ForeignTemplate
        ) || self.is_lint()
            || self.is_advice()
    }

    /// Whether it is advice on what a whole prompt prints: a lint that is seen by `prompt.lint()`.
    pub const fn is_advice(self) -> bool {
        matches!(
            self,
            Code::Naming
                | Code::GenericName
                | Code::LongName
                | Code::OverNesting
                | Code::MixedStyle
                | Code::HeadingInValue
                | Code::TouchingHeading
                | Code::EmptyTitle
                | Code::DuplicateAttribute
                | Code::SummarySavesNothing
                | Code::ToolUndescribed
                | Code::InlineLines
                | Code::PriorityInversion
                | Code::VolatileBeforeCache
                | Code::ValueBeforeCache
                | Code::TextBesideMessages
        )
    }

    /// Whether `deny(..)` can make the lint an error: what can be seen in the declaration of one node.
    pub const fn can_deny(self) -> bool {
        matches!(
            self,
            Code::UnusedVariable
                | Code::Naming
                | Code::GenericName
                | Code::LongName
                | Code::VolatileBeforeCache
        ) || self.is_hint()
    }

    /// Whether breaking the rule leaves a text that prints as its author sees it, so that a run-time door warns of it
    /// instead of refusing the text: the heading rules, an open fence, and hints.
    pub const fn is_lint(self) -> bool {
        matches!(
            self,
            Code::SkippedLevel | Code::HeadingAboveTop | Code::UnclosedFence
        ) || self.is_hint()
    }

    /// Whether the rule is only ever a hint, which does not stop a build either.
    pub const fn is_hint(self) -> bool {
        matches!(
            self,
            Code::SetextHeading
                | Code::FrontMatter
                | Code::DoubledBraces
                | Code::HiddenName
                | Code::NothingInCode
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl core::str::FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or(())
    }
}
