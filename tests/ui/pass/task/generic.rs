//! Constants as parameters are carried along.
use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task<const N: usize>
where
    [(); N]: Sized,
{
    Tasting,
}

fn main() {
    assert_eq!(Task::<3>::ALL.len(), 1);
    assert!("tasting".parse::<Task<3>>().is_ok());
}
