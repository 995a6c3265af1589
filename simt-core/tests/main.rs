//! The tests of the program's definition, one program: validation, printing, evaluation, code and its text.

mod programs;

mod assembly;
mod code;
mod definite_assignment;
mod display;
mod display_device;
mod display_expressions;
mod evaluate;
mod numeric;
mod validate;
mod validate_expressions;
mod validate_functions;
mod validate_garbage;
mod validate_operations;
