use prompt_core::Assembler;

#[derive(Clone, Copy)]
enum Task {
    Tasting,
}

fn main() {
    let _ = Assembler::new(Task::Tasting, "oven_api");
}
