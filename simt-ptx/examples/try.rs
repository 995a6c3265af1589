//! Tries files.
fn main() {
    let (mut ok, mut bad) = (0, 0);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let module = match simt_ptx::parse(&text) {
            Ok(m) => m,
            Err(p) => {
                println!("{path}: PARSE\n{p}");
                bad += 1;
                continue;
            }
        };
        for kernel in simt_ptx::kernels(&module) {
            match simt_ptx::lower(&module, kernel, &text, &path) {
                Ok(_) => ok += 1,
                Err(problems) => {
                    bad += 1;
                    println!("== {path} {kernel}\n{}", problems.render(&path));
                }
            }
        }
    }
    println!("{ok} ok, {bad} bad");
}
