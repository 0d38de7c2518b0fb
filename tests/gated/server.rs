//! A server for exactly the requests of a test, over real sockets of this machine.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

/// What the server does with one request.
pub enum Script {
    /// Streams chunks, each in a packet of its own, and `[DONE]`.
    Stream(Vec<Value>),
    /// Streams chunks and closes in the middle of the next.
    Broken(Vec<Value>),
    /// Streams chunks, then says nothing more and keeps the connection open for so long.
    Stalled(Vec<Value>, Duration),
    /// Answers with a status and a body.
    Status(&'static str, &'static str),
    /// Answers with status 200 and this body.
    Body(&'static str, &'static str),
    /// Closes without an answer.
    Drop,
}

pub struct Server {
    pub url: String,
    thread: JoinHandle<Vec<Value>>,
}

impl Server {
    /// A server for exactly these requests.
    pub fn start(scripts: Vec<Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let serve = |script| {
                let (mut socket, _) = listener.accept().unwrap();
                let body = read_request(&socket);
                answer(&mut socket, script);
                body
            };
            scripts.into_iter().map(serve).collect()
        });
        Self { url, thread }
    }

    /// The bodies of all requests.
    pub fn requests(self) -> Vec<Value> {
        self.thread.join().unwrap()
    }
}

fn read_request(socket: &TcpStream) -> Value {
    let mut reader = BufReader::new(socket);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn answer(socket: &mut TcpStream, script: Script) {
    let head = |status: &str, kind: &str, length: &str| {
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{length}\r\n")
    };
    let whole = |status: &str, kind: &str, body: &str| {
        format!(
            "{}{body}",
            head(status, kind, &format!("Content-Length: {}\r\n", body.len()))
        )
    };
    match script {
        Script::Drop => {}
        Script::Status(status, body) => {
            socket
                .write_all(whole(status, "application/json", body).as_bytes())
                .unwrap();
        }
        Script::Body(kind, body) => socket
            .write_all(whole("200 OK", kind, body).as_bytes())
            .unwrap(),
        Script::Stream(chunks) => {
            send_chunks(
                socket,
                &chunks,
                &head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
            );
            send_chunk(socket, "data: [DONE]\n\n");
            socket.write_all(b"0\r\n\r\n").unwrap();
        }
        Script::Stalled(chunks, pause) => {
            send_chunks(
                socket,
                &chunks,
                &head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
            );
            std::thread::sleep(pause);
        }
        Script::Broken(chunks) => {
            send_chunks(
                socket,
                &chunks,
                &head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
            );
            socket.write_all(b"40\r\ndata: {\"choi").unwrap();
        }
    }
}

fn send_chunks(socket: &mut TcpStream, chunks: &[Value], head: &str) {
    socket.write_all(head.as_bytes()).unwrap();
    for chunk in chunks {
        send_chunk(socket, &format!("data: {chunk}\n\n"));
        socket.flush().unwrap();
    }
}

fn send_chunk(socket: &mut TcpStream, text: &str) {
    socket
        .write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())
        .unwrap();
}
