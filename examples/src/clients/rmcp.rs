//! `rmcp`, the MCP crate, on both sides: a server that offers the bulletin as a prompt with its tools, and a client that
//! takes a server's prompts and tools into a program of ours.

use crate::bulletin::{self, Bulletin};
use prompt_agent::Tools;
use prompt_agent::wire::mcp::{self, McpPrompt};
use prompt_core::{Message, PromptNode, ToolCall, ToolSpec};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::error::Error;
use std::fmt;
use tokio::net::{TcpListener, TcpStream};

type Failure = Box<dyn Error + Send + Sync>;

/// What the prompt is called at the server.
const PROMPT: &str = "bulletin";

/// Offers the bulletin.
struct BulletinServer {
    bulletin: Bulletin,
    tools: Tools,
    options: mcp::McpOptions,
}

impl BulletinServer {
    fn prompts(&self) -> Result<ListPromptsResult, ErrorData> {
        let mut prompt = McpPrompt::of(&self.bulletin);
        PROMPT.clone_into(&mut prompt.name);
        // The one line:
        read(mcp::prompts_list(&[prompt], &self.options))
    }

    fn prompt(&self, name: &str) -> Result<GetPromptResult, ErrorData> {
        if name != PROMPT {
            let fact = format!("there is no prompt `{name}`");
            return Err(ErrorData::invalid_params(fact, None));
        }
        let messages = self
            .bulletin
            .prompt()
            .render()
            .map_err(internal)?
            .messages();
        read(mcp::prompts_get("Writes a bulletin.", &messages, &self.options).map_err(internal)?)
    }

    fn list(&self) -> Result<ListToolsResult, ErrorData> {
        let tools: Vec<_> = self.tools.specs().iter().cloned().map(Into::into).collect();
        read(mcp::tools_list(&tools, &self.options))
    }

    fn call(&self, request: CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = self
            .tools
            .answer(&ToolCall::new("call", request.name, arguments));
        read(mcp::tool_results(&[result], &self.options).swap_remove(0))
    }
}

/// Our JSON as a type of the crate.
fn read<T: DeserializeOwned>(ours: Value) -> Result<T, ErrorData> {
    serde_json::from_value(ours).map_err(internal)
}

fn internal(error: impl fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl ServerHandler for BulletinServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_prompts()
            .enable_tools()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.prompts()
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.prompt(&request.name).map(Into::into)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.list()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request).map(Into::into)
    }
}

/// Offers the bulletin to the next client of this listener, until it goes.
///
/// # Errors
///
/// When the client breaks the protocol or the connection.
pub async fn serve(listener: &TcpListener) -> Result<(), Failure> {
    let (socket, _) = listener.accept().await?;
    let server = BulletinServer {
        bulletin: Bulletin::new()?,
        tools: bulletin::tools()?,
        options: mcp::McpOptions::new(),
    };
    server.serve(socket).await?.waiting().await?;
    Ok(())
}

/// The text of a tool's result.
fn texts(result: &Value) -> String {
    let blocks = result["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

/// What a server offers, in our types.
#[derive(Debug)]
pub struct Offer {
    /// Its tools, as any model's request takes them.
    pub tools: Vec<ToolSpec>,
    /// The messages of its prompt `bulletin`.
    pub messages: Vec<Message>,
    /// What its tool `look_up` says of a level.
    pub answer: String,
}

/// Takes tools and prompt of the server at this address, and calls a tool.
///
/// # Errors
///
/// The client's, or a tool whose schema is none.
pub async fn connect(address: &str) -> Result<Offer, Failure> {
    let server = ().serve(TcpStream::connect(address).await?).await?;
    let mut tools = Vec::new();
    for tool in server.list_all_tools().await? {
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        // The one line: a foreign schema is taken as it is.
        tools.push(ToolSpec::loose(
            tool.name,
            tool.description.unwrap_or_default(),
            schema,
        )?);
    }
    let prompt = server
        .get_prompt(GetPromptRequestParams::new(PROMPT))
        .await?;
    let messages = mcp::messages(&serde_json::to_value(prompt)?)?;
    let call = ToolCall::new("call", "look_up", json!({ "term": "level" }));
    let mut asked = CallToolRequestParams::new(call.name.clone());
    asked.arguments = call.arguments.as_object().cloned();
    let said = serde_json::to_value(server.call_tool(asked).await?)?;
    let answer = texts(&said);
    server.cancel().await?;
    Ok(Offer {
        tools,
        messages,
        answer,
    })
}
