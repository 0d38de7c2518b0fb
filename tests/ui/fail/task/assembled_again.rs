use prompt_core::Assembler;
use prompt_core::PromptTask;

#[derive(Clone, Copy, PromptTask)]
enum Task {
    Tasting,
}

fn main() {
    let assembler = Assembler::new(Task::Tasting, "oven_api");
    let assembled = assembler.assemble("Taste it.", "Loaf 7").unwrap();
    let _ = assembler.assemble(assembled, "Loaf 8");
}
