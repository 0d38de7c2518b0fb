use prompt_syntax::*;
fn main(){ let t=std::env::args().nth(1).unwrap().replace("\\n","\n"); let o=Options{names:&["name","item"],sections:&["rules"],..Options::new(Place::Node)}; let p=parse(&t,&o); println!("{p:#?}"); println!("{:#?}", lower(&p.elements,&["rules"]));}
