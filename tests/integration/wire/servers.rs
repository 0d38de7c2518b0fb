//! What other people's servers send: one table of situations by formats, each cell the events as such a server writes them, and what
//! the message holds. In every cell the deltas said the same as the message holds, whether the bytes come at once or one by one.

use prompt_agent::wire::{Delta, Provider, Reply, WireError};
use prompt_core::Content;
use serde_json::Value;
use std::collections::BTreeMap;

use Provider::{Anthropic, Gemini, Ollama, OpenAiChat as Chat, OpenAiResponses as Responses};

/// A row: what happens.
struct Situation {
    name: &'static str,
    /// A cell: the format, the events, and what is understood: the text, and each call as `name(arguments)`; or the error.
    cells: &'static [(Provider, &'static [&'static str], &'static str)],
}

const TABLE: &[Situation] = &[
    Situation {
        name: "a text and a call, as the format's own server sends them",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Let me"}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"content":" look."}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
                ],
                r#"Let me look. look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Let me look."}"#,
                    r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Let me look."}]}}"#,
                    r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f","call_id":"a","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f","call_id":"a","name":"look","arguments":"{\"at\":1}"}}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Let me look."}]},{"type":"function_call","id":"f","call_id":"a","name":"look","arguments":"{\"at\":1}"}]}}"#,
                ],
                r#"Let me look. look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me look."}}"#,
                    r#"{"type":"content_block_stop","index":0}"#,
                    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"at\":"}}"#,
                    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1}"}}"#,
                    r#"{"type":"content_block_stop","index":1}"#,
                    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"Let me look. look({"at":1})"#,
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Let me"}]}}]}"#,
                    r#"{"candidates":[{"content":{"role":"model","parts":[{"text":" look."},{"functionCall":{"name":"look","args":{"at":1}}}]},"finishReason":"STOP"}]}"#,
                ],
                r#"Let me look. look({"at":1})"#,
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"role":"assistant","content":"Let me look."},"done":false}"#,
                    r#"{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"at":1}}}]},"done":false}"#,
                    r#"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
                ],
                r#"Let me look. look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "two calls under one number, or none, without ids",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"list","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{\"at\":1}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{\"at\":2}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
                ],
                r#"list({}) look({"at":1}) look({"at":2})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","item":{"type":"function_call","call_id":"a","name":"list","arguments":""}}"#,
                    r#"{"type":"response.output_item.added","item":{"type":"function_call","call_id":"b","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"","name":"list","input":{}}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"at\":1}"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"list"}}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{"at":1}}}]},"finishReason":"STOP"}]}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"role":"assistant","tool_calls":[{"index":0,"function":{"name":"list"}}]},"done":false}"#,
                    r#"{"message":{"role":"assistant","tool_calls":[{"index":0,"function":{"name":"look","arguments":{"at":1}}}]},"done":true}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "pieces are counted instead of calls",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"at\":"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":2,"function":{"arguments":"1}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":3,"id":"y","function":{"name":"list","arguments":"{}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"x","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"at\":"}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":2,"delta":"1}"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","call_id":"x","name":"look","arguments":"{\"at\":1}"}]}}"#,
                ],
                r#"look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"x","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"at\":1}"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                "error: message 0: expected a delta of a block that has begun at `/delta`",
            ),
        ],
    },
    Situation {
        name: "a piece of a call that never began",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":1}"}}]}}]}"#,
                    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
                ],
                "error: message 0: expected a call with the name of its tool at `/choices/0/message/tool_calls/0`",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                "error: message 0: expected what its deltas have said at `/response/output`",
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                "error: message 0: expected a delta of a block that has begun at `/delta`",
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.at","numberValue":1}]}}]},"finishReason":"STOP"}]}"#,
                ],
                "error: message 0: expected a call with the name of its tool at `/candidates/0/content/parts/0/functionCall`",
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"role":"assistant","tool_calls":[{"function":{"arguments":{"at":1}}}]},"done":true}"#,
                ],
                "error: message 0: expected a string at `/message/tool_calls/0/function/name`",
            ),
        ],
    },
    Situation {
        name: "a text without a beginning",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"content":"Four"}}]}"#,
                    r#"{"choices":[{"text":"."}]}"#,
                    r#"{"choices":[{"finish_reason":"stop"}]}"#,
                ],
                "Four.",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"Four."}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                "Four.",
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"Four."}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                "Four.",
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"Four."}]}}]}"#,
                    r#"{"candidates":[{"finishReason":"STOP"}]}"#,
                ],
                "Four.",
            ),
            (
                Ollama,
                &[r#"{"message":{"content":"Four."}}"#, r#"{"done":true}"#],
                "Four.",
            ),
        ],
    },
    Situation {
        name: "what takes the number of another begins anew",
        cells: &[
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"response.output_text.delta","output_index":0,"delta":"Four."}"#,
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.output_text.delta","output_index":0,"delta":" Or five."}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"Four. Or five. look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Four."}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" Or five."}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"at\":1}"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"Four. Or five. look({"at":1})"#,
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","willContinue":true}}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.at","numberValue":1}],"willContinue":true}}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"list","args":{}}}]}}]}"#,
                    r#"{"candidates":[{"finishReason":"STOP"}]}"#,
                ],
                r#"list({}) look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "a text on an open call is a text",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"content":"Hm."}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"stop"}]}"#,
                ],
                r#"Hm. look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hm."}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"at\":1}"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"Hm. look({"at":1})"#,
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","willContinue":true}}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"text":"Hm."}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.at","numberValue":1}]}}]},"finishReason":"STOP"}]}"#,
                ],
                r#"Hm. look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "a name in pieces, and one that is said again",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"lo"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"ok"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":1}"}}]}}]}"#,
                    r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
                ],
                r#"look({"at":1})"#,
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":":1}"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
                ],
                r#"look({"at":1})"#,
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{\"at\""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":":1}"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
                ],
                r#"look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "ids that repeat",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"look","arguments":"{\"at\":1}"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"x","function":{"name":"look","arguments":"{\"at\":2}"}}]},"finish_reason":"stop"}]}"#,
                ],
                r#"look({"at":1}) look({"at":2})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"x","name":"look","arguments":"{\"at\":1}"}}"#,
                    r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"x","name":"look","arguments":"{\"at\":2}"}}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"look({"at":1}) look({"at":2})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"x","name":"look","input":{"at":1}}}"#,
                    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"x","name":"look","input":{"at":2}}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"look({"at":1}) look({"at":2})"#,
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"id":"x","name":"look","args":{"at":1}}},{"functionCall":{"id":"x","name":"look","args":{"at":2}}}]},"finishReason":"STOP"}]}"#,
                ],
                r#"look({"at":1}) look({"at":2})"#,
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"tool_calls":[{"id":"x","function":{"name":"look","arguments":{"at":1}}},{"id":"x","function":{"name":"look","arguments":{"at":2}}}]},"done":true}"#,
                ],
                r#"look({"at":1}) look({"at":2})"#,
            ),
        ],
    },
    Situation {
        name: "a character in two halves",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"content":"x\ud83d"}}]}"#,
                    r#"{"choices":[{"delta":{"content":"\ude00y"},"finish_reason":"stop"}]}"#,
                ],
                "x\u{1F600}y",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"x\uD83D"}"#,
                    r#"{"type":"response.output_text.delta","delta":"\uDE00y"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                "x\u{1F600}y",
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x\ud83d"}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00y"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                "x\u{1F600}y",
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"x\ud83d"}]}}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"text":"\ude00y"}]},"finishReason":"STOP"}]}"#,
                ],
                "x\u{1F600}y",
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"content":"x\ud83d"},"done":false}"#,
                    r#"{"message":{"content":"\ude00y"},"done":true}"#,
                ],
                "x\u{1F600}y",
            ),
        ],
    },
    Situation {
        name: "half a character whose other half never comes",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"content":"\ude00x\ud83d"}}]}"#,
                    r#"{"choices":[{"delta":{"content":"y \ud83dz"},"finish_reason":"stop"}]}"#,
                ],
                "\u{FFFD}x\u{FFFD}y \u{FFFD}z",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"x\ud83d"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                "x\u{FFFD}",
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x\ud83d"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                "x\u{FFFD}",
            ),
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"x\ud83d"}]},"finishReason":"STOP"}]}"#,
                ],
                "x\u{FFFD}",
            ),
            (
                Ollama,
                &[r#"{"message":{"content":"x\ud83d"},"done":true}"#],
                "x\u{FFFD}",
            ),
        ],
    },
    Situation {
        name: "a whole answer where a stream was asked for",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"message":{"role":"assistant","content":"Four \ud83d.","tool_calls":[{"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}]},"finish_reason":"stop"}]}"#,
                ],
                "Four \u{FFFD}. look({\"at\":1})",
            ),
            (
                Responses,
                &[
                    r#"{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Four."}]},{"type":"function_call","call_id":"a","name":"look","arguments":"{\"at\":1}"}]}"#,
                ],
                r#"Four. look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message","content":[{"type":"text","text":"Four."},{"type":"tool_use","id":"a","name":"look","input":{"at":1}}],"stop_reason":"tool_use"}"#,
                ],
                r#"Four. look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "arguments that are no JSON, and an object where a text is due",
        cells: &[
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{at"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"look","arguments":{"at":1}}}]},"finish_reason":"stop"}]}"#,
                ],
                r#"look("{at") look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{at"}"#,
                    r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"b","name":"look","arguments":{"at":1}}}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"look("{at") look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}"#,
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{at"}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"look("{at")"#,
            ),
            (
                Ollama,
                &[
                    r#"{"message":{"tool_calls":[{"function":{"name":"look","arguments":"{at"}}]},"done":true}"#,
                ],
                r#"look("{at")"#,
            ),
        ],
    },
    Situation {
        name: "the whole says something else than its pieces",
        cells: &[
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"Four."}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Five."}]}]}}"#,
                ],
                "error: message 0: expected what its deltas have said at `/response/output`",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"Four. "}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Four."}]}]}}"#,
                ],
                "Four.",
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","delta":"Fo"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Four."}]}]}}"#,
                ],
                "Four.",
            ),
        ],
    },
    Situation {
        name: "more than the format's own server would say",
        cells: &[
            (
                Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"He"}]},"finishReason":"STOP"}]}"#,
                    r#"{"candidates":[{"content":{"parts":[{"text":"y"},{"functionCall":{"name":"look","args":{"at":1}}}]},"finishReason":"STOP"}]}"#,
                ],
                r#"Hey look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"x4","call_id":"c","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"x8","call_id":"c","name":"look","arguments":"{\"at\":1}"}}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"He"}"#,
                    r#"{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hey"}"#,
                    r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"c","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.done","output_index":1,"arguments":"{\"at\":1}"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                ],
                r#"Hey look({"at":1})"#,
            ),
            (
                Responses,
                &[
                    r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"x1","role":"assistant","content":[]}}"#,
                    r#"{"type":"response.output_text.delta","output_index":0,"delta":"Hey"}"#,
                    r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"c","name":"look","arguments":""}}"#,
                    r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"at\":1}"}"#,
                    r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","id":"x9","role":"assistant","content":[{"type":"output_text","text":"Hey"}]}]}}"#,
                ],
                r#"Hey look({"at":1})"#,
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"content":"He"}}]}"#,
                    r#"{"choices":[{"delta":{},"finish_reason":"tool_calls","message":{"content":"Hey","tool_calls":[{"id":"a","function":{"name":"look","arguments":"{\"at\":1}"}}]}}]}"#,
                ],
                r#"Hey look({"at":1})"#,
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"type":"function","function":{"name":"list","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"type":"function","function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
                ],
                "list({}) look({})",
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"id":"f","function":{"name":"look","arguments":"{\"at\":1}"}},{"id":"f","function":{"name":"look","arguments":"{\"at\":2}"}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"id":"f","function":{"name":"look","arguments":{"at":3}}},{"id":"f","function":{"name":"look","arguments":{"at":4}}}]},"finish_reason":"tool_calls"}]}"#,
                ],
                r#"look({"at":1}) look({"at":2}) look({"at":3}) look({"at":4})"#,
            ),
            (
                Chat,
                &[
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":null,"arguments":"{\"at\""}}]}}]}"#,
                    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"look","arguments":":1}"}}]},"finish_reason":"stop"}]}"#,
                ],
                r#"look({"at":1})"#,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Hey"},{"type":"tool_use","id":"a","name":"look","input":{"at":1}}]}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                r#"Hey look({"at":1})"#,
            ),
        ],
    },
    Situation {
        name: "the end is missing",
        cells: &[
            (
                Chat,
                &[r#"{"choices":[{"delta":{"content":"Four."}}]}"#],
                UNFINISHED,
            ),
            (
                Responses,
                &[r#"{"type":"response.output_text.delta","delta":"Four."}"#],
                UNFINISHED,
            ),
            (
                Anthropic,
                &[
                    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Four."}}"#,
                ],
                UNFINISHED,
            ),
            (
                Gemini,
                &[r#"{"candidates":[{"content":{"parts":[{"text":"Four."}]}}]}"#],
                UNFINISHED,
            ),
            (
                Ollama,
                &[r#"{"message":{"content":"Four."},"done":false}"#],
                UNFINISHED,
            ),
        ],
    },
];

const UNFINISHED: &str = "error: the answer breaks off; send the request again";

/// Reads the events, in pieces of so many bytes; gives the deltas, too.
fn read(
    provider: Provider,
    events: &[&str],
    size: usize,
) -> (Result<Reply, WireError>, Vec<Delta>) {
    let line = |event: &&str| match provider {
        Ollama => format!("{event}\n"),
        _ => format!("event: message\ndata: {event}\n\n"),
    };
    let body: String = events.iter().map(line).collect();
    let (mut reader, mut deltas) = (provider.stream(), Vec::new());
    for piece in body.as_bytes().chunks(size) {
        deltas.extend(reader.push_bytes(piece).unwrap_or_default());
    }
    (reader.finish(), deltas)
}

/// The text and the calls, in the order of their names.
fn shown(text: &str, calls: impl IntoIterator<Item = (String, Value)>) -> String {
    let calls = calls
        .into_iter()
        .map(|(name, arguments)| format!("{name}({arguments})"));
    let mut calls: Vec<String> = calls.collect();
    calls.sort();
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    text.into_iter().chain(calls).collect::<Vec<_>>().join(" ")
}

fn of_message(reply: &Reply) -> String {
    let texts = reply.message.content.iter().filter_map(Content::as_text);
    let text: String = texts.collect();
    shown(
        &text,
        reply
            .message
            .tool_calls()
            .map(|call| (call.name, call.arguments)),
    )
}

fn of_deltas(deltas: &[Delta]) -> String {
    let (mut text, mut calls) = (String::new(), BTreeMap::new());
    for delta in deltas {
        match delta {
            Delta::Text(piece) => text.push_str(piece),
            Delta::Call { index, name, .. } => {
                calls.insert(*index, (name.clone(), String::new()));
            }
            Delta::Arguments { index, text } => calls.get_mut(index).unwrap().1.push_str(text),
            _ => {}
        }
    }
    let json = |text: String| match text.as_str() {
        "" => serde_json::json!({}),
        _ => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    };
    shown(
        &text,
        calls.into_values().map(|(name, text)| (name, json(text))),
    )
}

#[test]
fn what_other_servers_send_is_understood_or_an_error() {
    let mut cells = 0;
    let mut faults = Vec::new();
    for situation in TABLE {
        for (provider, events, expected) in situation.cells {
            cells += 1;
            for size in [usize::MAX, 1, 7] {
                let (reply, deltas) = read(*provider, events, size);
                let found = match &reply {
                    Ok(reply) => of_message(reply),
                    Err(error) => format!("error: {error}"),
                };
                let place = format!("{}, {provider}", situation.name);
                if found != *expected {
                    faults.push(format!(
                        "{place}\n  expected {expected}\n  found    {found}"
                    ));
                } else if reply.is_ok() && of_deltas(&deltas) != found {
                    faults.push(format!(
                        "{place}\n  holds {found}\n  told  {}",
                        of_deltas(&deltas)
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(cells >= 40, "{cells} cells");
}
