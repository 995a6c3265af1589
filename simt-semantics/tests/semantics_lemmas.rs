//! Lemmas 1 and 2 of ESOP'12 are checked, not taken for granted: configurations that no run reaches break them.

mod esop12;
#[path = "../../simt-core/tests/programs/mod.rs"]
mod programs;

use esop12::{Kernel, program_1};
use simt_core::LaneMask;
use simt_semantics::{
    Broken, DisableState, Esop12, Item, Memory, Place, Setting, StmtId, Token, TokenKind, Warp, WarpRules, act_token,
    awaits, enable, lemma_1, lemma_2,
};

/// A mask as the paper writes it.
fn mask(digits: &str) -> LaneMask {
    let lanes = digits.chars().enumerate().filter(|&(_, digit)| digit == '1');
    lanes.map(|(lane, _)| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane)
}

fn token(kind: TokenKind, digits: &str) -> Item {
    Item::Token(Token { kind, mask: mask(digits) })
}

/// A configuration of Program 1 with a stack, its top first, and an active mask.
fn warp(stack: &[Item], active: &str) -> Warp {
    let Kernel { program, arguments } = program_1();
    let setting = Setting::new(&program, Place::alone(4)).expect("it has rules for all statements");
    let mut warp = Warp::initial(&setting, Memory::initial(&setting, arguments).expect("the arguments fit"));
    warp.stack = stack.iter().rev().copied().collect();
    warp.active = mask(active);
    warp
}

const LOOP: StmtId = StmtId(2);

#[test]
fn claim_1_wants_a_sync_below_a_div() {
    let skip = Item::Statement(StmtId(0));
    let [div, sync, call] = [TokenKind::Div, TokenKind::Sync, TokenKind::Call];
    let good = [token(div, "0001"), skip, token(sync, "0111"), token(call, "1111")];
    assert_eq!(lemma_1(&warp(&good, "0110")), Ok(()));
    assert_eq!(lemma_1(&warp(&good, "1110")), Err(Broken::DivBeforeSync), "thread 0 is not in sync");
    let narrow = [token(div, "1001"), skip, token(sync, "0111"), token(call, "1111")];
    assert_eq!(lemma_1(&warp(&narrow, "0110")), Err(Broken::DivBeforeSync));
    let without = [token(div, "0001"), skip, token(call, "1111")];
    assert_eq!(lemma_1(&warp(&without, "0110")), Err(Broken::DivBeforeSync));
}

#[test]
fn claim_2_wants_the_loops_own_brk_below_it() {
    let again = Item::WhileAgain(LOOP);
    let stack = |kind, digits| [again, token(kind, digits), token(TokenKind::Call, "1111")];
    assert_eq!(lemma_1(&warp(&stack(TokenKind::Break(LOOP), "0111"), "0110")), Ok(()));
    let broken = Err(Broken::WhileBeforeBreak);
    assert_eq!(lemma_1(&warp(&stack(TokenKind::Break(LOOP), "0111"), "1110")), broken);
    assert_eq!(lemma_1(&warp(&stack(TokenKind::Break(StmtId(3)), "0111"), "0110")), broken);
    assert_eq!(lemma_1(&warp(&stack(TokenKind::Sync, "0111"), "0110")), broken);
}

#[test]
fn claim_3_wants_masks_to_nest() {
    let stack = |upper, lower| {
        let below = token(TokenKind::Div, "0000");
        [token(TokenKind::Sync, upper), below, token(TokenKind::Break(LOOP), lower), token(TokenKind::Call, "1111")]
    };
    assert_eq!(lemma_1(&warp(&stack("0011", "0111"), "0000")), Ok(()));
    assert!(matches!(lemma_1(&warp(&stack("1011", "0111"), "0000")), Err(Broken::MasksNest { .. })));
}

#[test]
fn claim_4_wants_the_active_threads_in_tokens_but_not_in_div() {
    let skip = Item::Statement(StmtId(0));
    let stack =
        |div, sync| [skip, token(TokenKind::Div, div), token(TokenKind::Sync, sync), token(TokenKind::Call, "1111")];
    assert_eq!(lemma_1(&warp(&stack("0001", "0111"), "0110")), Ok(()));
    let token_of = |broken| match broken {
        Err(Broken::ActiveWithin { token }) => token.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(token_of(lemma_1(&warp(&stack("0011", "0111"), "0110"))), TokenKind::Div);
    assert_eq!(token_of(lemma_1(&warp(&stack("0001", "0111"), "1110"))), TokenKind::Sync);
}

/// A token that awakes threads that it should not, or not those that it should.
struct Enable(fn(&[DisableState], Token) -> (LaneMask, Vec<DisableState>));

impl WarpRules for Enable {
    fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
        (self.0)(disabled, token)
    }
}

#[test]
fn lemma_2_wants_exactly_the_activation_tokens_to_awake() {
    let stack = [token(TokenKind::Break(LOOP), "0111"), token(TokenKind::Call, "1111")];
    let mut warp = warp(&stack, "0001");
    warp.disabled[1] = DisableState::Break(LOOP);
    warp.disabled[2] = DisableState::Return;
    assert_eq!(lemma_2(&Esop12, &warp), Ok(()));
    let all = Enable(|disabled, token| (token.mask, disabled.to_vec()));
    assert!(matches!(lemma_2(&all, &warp), Err(Broken::Awakes { thread: 2, .. })));
    let none = Enable(|disabled, _| (LaneMask::EMPTY, disabled.to_vec()));
    assert!(matches!(lemma_2(&none, &warp), Err(Broken::Awakes { thread: 1, .. })));
}

/// Section 3.3: *awaits* and *enable*, with the example of the thread that returns in one arm while others call a function
/// in the other.
#[test]
fn what_returned_sleeps_until_the_token_of_its_own_call() {
    use DisableState::{Break, Continue, Enabled, Return};
    let kinds = [TokenKind::Div, TokenKind::Sync, TokenKind::Break(LOOP), TokenKind::Continue(LOOP), TokenKind::Call];
    let awaited = |state| kinds.map(|kind| awaits(state, kind));
    assert_eq!(awaited(Enabled), [true; 5]);
    assert_eq!(awaited(Break(LOOP)), [false, false, true, false, false]);
    assert_eq!(awaited(Continue(LOOP)), [false, false, false, true, false]);
    assert_eq!(awaited(Return), [false, false, false, false, true]);
    assert!(
        !awaits(Break(LOOP), TokenKind::Break(StmtId(9))) && !awaits(Continue(LOOP), TokenKind::Continue(StmtId(9)))
    );

    let disabled = [Return, Enabled, Enabled, Return];
    let inner = Token { kind: TokenKind::Call, mask: mask("0111") };
    assert_eq!(enable(&disabled, inner), (mask("0111"), vec![Return, Enabled, Enabled, Enabled]));
    assert!(!act_token(0, inner, Return) && act_token(3, inner, Return));
    let sync = Token { kind: TokenKind::Sync, mask: mask("1111") };
    assert_eq!(enable(&[Return, Enabled, Enabled, Enabled], sync).0, mask("0111"));
}
