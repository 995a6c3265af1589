//! The caret stands under what the thread was doing, however the kernel is written.

use crate::kernels;
use simt::KernelCall;
use simt::prelude::*;

fn launch(call: KernelCall<'_>) -> LaunchError {
    Gpu::<Ipdom>::default().with_warp_width(4).launch(Grid::new(1, 4), call).expect_err("the last thread faults")
}

/// The text above the carets.
fn underlined(error: &LaunchError) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let carets = lines.iter().position(|line| line.contains('^')).expect("a line is marked");
    let columns = lines[carets].chars().enumerate().filter(|&(_, c)| c == '^').map(|(column, _)| column);
    let above: Vec<char> = lines[carets - 1].chars().collect();
    columns.map(|column| above.get(column).copied().unwrap_or('?')).collect()
}

#[test]
fn one_access_of_several_on_a_line() {
    let error = launch(kernels::second_line(&[1; 4], &mut [0; 4]));
    assert_eq!((error.line(), underlined(&error).as_str()), (Some(kernels::SECOND_LINE), "x[i + 1]"));
    assert_shown!("second_line", error);
}

#[test]
fn an_access_over_several_lines() {
    let error = launch(kernels::many_lines(&[1; 4], &mut [0; 4]));
    assert_eq!(error.line(), Some(kernels::MANY_LINES));
    assert_shown!("many_lines", error);
}

#[test]
fn tabs_before_it() {
    let error = launch(kernels::tabs(&[1; 4], &mut [0; 4]));
    assert_eq!((error.line(), underlined(&error).as_str()), (Some(kernels::TABS), "x[i + 1]"));
    assert_shown!("tabs", error);
}

#[test]
fn letters_of_several_bytes_before_it() {
    let error = launch(kernels::not_ascii(&[1; 4], &mut [0; 4]));
    assert_eq!(error.line(), Some(kernels::NOT_ASCII));
    assert_shown!("not_ascii", error);
}

#[test]
fn a_line_of_a_macro() {
    let error = launch(kernels::divide_u32(&[1, 2, 3, 4], &[1, 1, 1, 0], &mut [0; 4]));
    assert_eq!((error.line(), underlined(&error).as_str()), (Some(kernels::DIVIDE), "a[i] / b[i]"));
}
