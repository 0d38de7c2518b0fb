//! Inputs that once broke a law, as the fuzz command wrote them, and a short run of every target.

use prompt_tests::fuzz::{TARGETS, Target, bytes_of, from_hex, run, shrink, to_hex};

#[test]
fn found_inputs_keep_their_laws() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/regressions");
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some((target, _)) = name
            .split_once('-')
            .filter(|_| path.extension().is_some_and(|end| end == "hex"))
        else {
            continue;
        };
        let target = TARGETS.iter().find(|known| known.name == target);
        let target = target.unwrap_or_else(|| panic!("{name}: there is no such target"));
        let bytes = from_hex(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if let Err(fact) = run(target, &bytes) {
            failures.push(format!("{name}: {fact}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_target_runs_and_the_first_inputs_keep_its_laws() {
    let mut failures = Vec::new();
    let seeds = u64::from(prompt_tests::random_cases(40));
    for target in TARGETS {
        let found = (1..seeds).find_map(|seed| Some((seed, run(target, &bytes_of(seed)).err()?)));
        if let Some((seed, fact)) = found {
            failures.push(format!("{}, seed {seed}: {fact}", target.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn an_input_comes_back_from_its_file_and_is_made_small() {
    let bytes = bytes_of(7);
    assert_eq!(from_hex(&to_hex(&bytes)).unwrap(), bytes);
    assert_eq!(bytes_of(7), bytes);
    assert!(from_hex("0g").is_err());
    let picky = Target {
        name: "picky",
        run: |source| match (0..2000).any(|_| source.byte() == 7) {
            true => Err("a seven".into()),
            false => Ok(()),
        },
    };
    let mut input = vec![1; 500];
    input[321] = 7;
    assert_eq!(shrink(&picky, input), [7]);
    let panics = Target {
        name: "panics",
        run: |source| {
            assert!(source.byte() != 3, "three");
            Ok(())
        },
    };
    assert_eq!(run(&panics, &[3]), Err("panic: three".into()));
    assert_eq!(run(&panics, &[2]), Ok(()));
}

#[test]
fn every_target_can_be_driven_by_coverage() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz");
    let manifest = std::fs::read_to_string(format!("{folder}/Cargo.toml")).unwrap();
    for Target { name, .. } in TARGETS {
        let program = std::fs::read_to_string(format!("{folder}/src/bin/{name}.rs")).unwrap();
        assert!(program.contains(&format!("keep({name:?}")), "{name}");
        assert!(manifest.contains(&format!("name = {name:?}\n")), "{name}");
    }
}
