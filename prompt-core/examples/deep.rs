use prompt_core::*;
/// Level {level}.
#[derive(PromptNode)]
struct Nest { level: usize, #[section] inner: Option<Box<Nest>> }
fn nest(d: usize) -> Nest { (0..d).fold(Nest{level:d, inner:None}, |n, i| Nest{level:d-i-1, inner: Some(Box::new(n))}) }
fn main() {
    let kb: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let d: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    std::thread::Builder::new().stack_size(kb*1024).spawn(move || {
        let n = nest(d);
        println!("{:?}", n.prompt().text().map(|t| t.len()));
        println!("{:?}", n.prompt().render().map(|t| t.sections().len()));
    }).unwrap().join().unwrap();
}
