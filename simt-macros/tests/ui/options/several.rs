mod option_kinds {
    use simt::prelude::*;

    #[kernel]
    fn methods(n: u32, out: &mut [bool]) {
        let option = n.checked_add(1);
        let result = option.ok_or(3);
        out[0] = result.is_none_or(|x| x > 3);
        out[1] = option.is_ok_and(|x| x > 3);
        out[2] = result.is_some_and(|x| x > 3);
        out[3] = option.map_err(|x| x + 1u32).is_ok();
    }

    #[kernel]
    fn numbers(n: u32, out: &mut [bool]) {
        out[0] = n.map(|x| x > 3);
    }

    #[kernel]
    fn stack(n: u32, out: &mut [u32]) {
        let mut stack = [None; 4];
        stack[0] = Some(n);
        stack[1] = n;
        out[0] = stack[0];
    }
}

mod option_question_mark {
    use simt::prelude::*;

    #[device]
    fn half(n: u32) -> Option<u32> {
        if n % 2 == 0 { Some(n / 2) } else { None }
    }

    #[device]
    fn of_result(n: u32) -> Result<u32, u32> {
        let half = half(n)?;
        Ok(half)
    }

    #[device]
    fn of_number(n: u32) -> u32 {
        half(n)? + 1
    }

    #[device]
    fn other_error(n: u32) -> Result<u32, bool> {
        let sum = of_result(n)?;
        Ok(sum)
    }

    #[device]
    fn of_nothing(x: &mut [u32]) {
        x[0] = half(3)?;
    }

    #[device]
    fn of_value(n: u32) -> Option<u32> {
        Some(n?)
    }
}

fn main() {}
