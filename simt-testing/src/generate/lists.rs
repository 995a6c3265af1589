//! Fields that are arrays, as the builder makes them: a variable for each element, and for an index that is not known a copy
//! of these, from which they are taken back behind a store. Also what the builder would not write: copies that are older than
//! the variables, or newer, and are used nevertheless.

use super::Generator;
use simt_core::ScalarType;
use simt_core::build::homes::Copied;
use simt_core::ops::BinaryOp;
use simt_core::program::{ArrayId, ArraySpace, Block, Expr, ExprId, LoadAccess, StmtKind, StoreAccess, VarId};

/// Such a field.
#[derive(Clone)]
pub(super) struct List {
    pub(super) variables: Vec<VarId>,
    pub(super) ty: ScalarType,
}

impl Generator {
    /// A new field, or a read, a write or a copy of one.
    pub(super) fn list(&mut self, block: &mut Block) {
        if self.scope.lists.is_empty() || self.random.once_in(4) {
            return self.new_list(block);
        }
        let list = self.random.pick(&self.scope.lists).clone();
        match self.random.below(10) {
            8..=9 if !self.signatures.is_empty() => self.call(block),
            0..=2 | 8..=9 => self.read_element(block, &list),
            3..=5 => self.write_element(block, &list),
            6 => self.list_to_list(block, &list),
            _ => self.misuse(block, &list),
        }
    }

    /// Variables for a field, not yet assigned: of few types and lengths, so that there are others like it.
    pub(super) fn list_variables(&mut self) -> List {
        let ty = *self.random.pick(&[ScalarType::U32, ScalarType::F32, ScalarType::I8]);
        let length = 2 + self.random.below(2);
        List { variables: (0..length).map(|_| self.variable(ty, true)).collect(), ty }
    }

    /// `let mut q = Q { x: [..] };`
    fn new_list(&mut self, block: &mut Block) {
        let list = self.list_variables();
        self.fill_list(block, list);
    }

    /// A field of the same type and length as this one: one that there is, or a new one.
    pub(super) fn list_like(&mut self, block: &mut Block, list: &List) -> List {
        let alike = self.lists_like(list);
        if !alike.is_empty() {
            return self.random.pick(&alike).clone();
        }
        let variables = (0..list.variables.len()).map(|_| self.variable(list.ty, true)).collect();
        let list = List { variables, ty: list.ty };
        self.fill_list(block, list.clone());
        list
    }

    /// Those of the same type and length.
    pub(super) fn lists_like(&self, list: &List) -> Vec<List> {
        let is_like = |other: &&List| other.ty == list.ty && other.variables.len() == list.variables.len();
        self.scope.lists.iter().filter(is_like).cloned().collect()
    }

    fn fill_list(&mut self, block: &mut Block, list: List) {
        for &var in &list.variables {
            let value = self.expr(list.ty, 1);
            self.assign(block, var, value);
        }
        self.scope.variables.extend(&list.variables);
        self.scope.lists.push(list);
    }

    /// A copy that is not filled yet: a new one, or now and then one that was filled from this field before.
    fn copy_of(&mut self, list: &List) -> ArrayId {
        let function = self.function;
        let of_list = |copied: &&Copied| {
            copied.variables == list.variables && self.program.array(copied.array).function == function
        };
        let known: Vec<ArrayId> = self.copies.iter().filter(of_list).map(|copied| copied.array).collect();
        if !known.is_empty() && self.random.once_in(3) {
            return *self.random.pick(&known);
        }
        let array = self.array(list.ty, list.variables.len() as u32, ArraySpace::Local, false);
        self.copies.push(Copied { array, variables: list.variables.clone() });
        array
    }

    /// `copy[i] = variable;` for each of them
    fn fill_copy(&mut self, block: &mut Block, list: &List, copy: ArrayId) {
        for (element, &var) in list.variables.iter().enumerate() {
            let (index, value) = (self.constant(ScalarType::Usize, element as u64), self.get(var));
            self.plain_store(block, copy, index, value);
        }
    }

    /// `variable = copy[i];` for each of them
    fn take_back(&mut self, block: &mut Block, list: &List, copy: ArrayId) {
        for (element, &var) in list.variables.iter().enumerate() {
            let index = self.constant(ScalarType::Usize, element as u64);
            let value = self.plain_load(copy, index, list.ty);
            self.assign(block, var, value);
        }
    }

    fn plain_load(&mut self, array: ArrayId, index: ExprId, ty: ScalarType) -> ExprId {
        self.node(Expr::Load { slice: array.into(), index, access: LoadAccess::Plain }, ty)
    }

    fn plain_store(&mut self, block: &mut Block, array: ArrayId, index: ExprId, value: ExprId) {
        let store = StmtKind::Store { slice: array.into(), index, value, access: StoreAccess::Plain };
        block.push(self.stmt(store));
    }

    /// `let v = q.x[e];`
    fn read_element(&mut self, block: &mut Block, list: &List) {
        let copy = self.copy_of(list);
        self.fill_copy(block, list, copy);
        let index = self.index_of(copy);
        let mut value = self.plain_load(copy, index, list.ty);
        if self.random.once_in(3) {
            let other = self.index_of(copy);
            let other = self.plain_load(copy, other, list.ty);
            value = self.operation(BinaryOp::Add, value, other);
        }
        let var = self.variable(list.ty, true);
        self.assign(block, var, value);
        self.scope.variables.push(var);
    }

    /// `q.x[e] = v;`, or `q.x[e] += ..` of what was there
    fn write_element(&mut self, block: &mut Block, list: &List) {
        let index = self.index_below(list.variables.len() as u32);
        let at = self.variable(ScalarType::Usize, false);
        self.assign(block, at, index);
        let mut value = self.expr(list.ty, 2);
        if self.random.once_in(2) {
            let read = self.copy_of(list);
            self.fill_copy(block, list, read);
            let index = self.get(at);
            value = self.plain_load(read, index, list.ty);
        }
        let value_var = self.variable(list.ty, false);
        self.assign(block, value_var, value);
        let copy = self.copy_of(list);
        self.fill_copy(block, list, copy);
        let (index, value) = (self.get(at), self.get(value_var));
        self.plain_store(block, copy, index, value);
        self.take_back(block, list, copy);
    }

    /// `p.x = q.x;`, element by element
    fn list_to_list(&mut self, block: &mut Block, list: &List) {
        let alike = self.lists_like(list);
        let other = self.random.pick(&alike).clone();
        for (&to, &from) in other.variables.iter().zip(&list.variables) {
            let value = self.get(from);
            self.assign(block, to, value);
        }
    }

    /// What leaves a copy and its field with different elements.
    fn misuse(&mut self, block: &mut Block, list: &List) {
        let copy = self.copy_of(list);
        self.fill_copy(block, list, copy);
        match self.random.below(4) {
            // A copy that stays, to be read and written whenever.
            0 => self.scope.arrays.push(copy),
            // A store that is not taken back, or not all of it.
            choice @ 1..=2 => {
                let (index, value) = (self.index_of(copy), self.expr(list.ty, 2));
                self.plain_store(block, copy, index, value);
                if choice == 2 {
                    let first = List { variables: list.variables[..1].to_vec(), ty: list.ty };
                    self.take_back(block, &first, copy);
                }
                self.scope.arrays.push(copy);
            }
            // An element of the field is written, and then the copy is read.
            _ => {
                let (var, value) = (*self.random.pick(&list.variables), self.expr(list.ty, 2));
                self.assign(block, var, value);
                let index = self.index_of(copy);
                let (value, old) = (self.plain_load(copy, index, list.ty), self.variable(list.ty, false));
                self.assign(block, old, value);
                self.scope.variables.push(old);
            }
        }
    }
}
