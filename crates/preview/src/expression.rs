//! Numbers, by C's precedence.
//!
//! ```text
//! number  = binary [ "?" number ":" number ]
//! binary  = unary { operator unary }
//! unary   = ( "-" | "+" | "!" | "~" ) unary | "(" ( "int" | "unsigned" ) ")" unary | primary
//! primary = whole | name | name "." ("x"|"y"|"z") | ("min"|"max") "(" number "," number ")" | "(" number ")"
//! ```

use crate::code::{At, Given, Operator, Rule, Type};
use crate::read::{MOST_DEPTH, Meaning, Reader};
use crate::token::Kind;
use lanescope_syntax::tree::OPERATORS;

impl Reader<'_> {
    /// A number with all that belongs to it.
    pub(crate) fn number(&mut self) -> Option<At> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return None;
        }
        let condition = self.binary_above(0)?;
        let number = if self.take("?") {
            self.conditional(condition)?
        } else {
            condition
        };
        self.depth -= 1;
        Some(number)
    }

    fn conditional(&mut self, condition: At) -> Option<At> {
        let yes = self.number()?;
        self.expect(":")?;
        let no = self.number()?;
        let taken = self
            .known(condition)
            .map(|known| if known != 0 { yes } else { no });
        // Two truth values stay what they are only where the whole language says so.
        if self.type_of(yes) == Type::Bool && self.type_of(no) == Type::Bool {
            return taken;
        }
        let of = self.type_of(yes).common(self.type_of(no));
        if let Some(taken) = taken {
            return self.convert(taken, of);
        }
        let (yes, no) = (self.convert(yes, of)?, self.convert(no, of)?);
        // The same either way is no choice, and may be known.
        if self.known(yes).is_some() && self.known(yes) == self.known(no) {
            return Some(yes);
        }
        self.push(Rule::Select(condition, yes, no), of)
    }

    fn binary_above(&mut self, least: u8) -> Option<At> {
        let mut left = self.unary()?;
        loop {
            let found = OPERATORS
                .iter()
                .find(|(text, strength)| *strength > least && self.is(text));
            let Some((text, strength)) = found else {
                return Some(left);
            };
            if self.token().first_on_line {
                return Some(left);
            }
            self.next()?;
            let right = self.binary_above(*strength)?;
            left = self.binary(text, left, right)?;
        }
    }

    fn binary(&mut self, text: &str, a: At, b: At) -> Option<At> {
        use Operator as Op;
        let (op, swapped) = match text {
            "&&" | "||" => return self.both(text, a, b),
            "+" => (Op::Add, false),
            "-" => (Op::Subtract, false),
            "*" => (Op::Multiply, false),
            "/" => (Op::Divide, false),
            "%" => (Op::Remainder, false),
            "<<" => (Op::ShiftLeft, false),
            ">>" => (Op::ShiftRight, false),
            "&" => (Op::And, false),
            "|" => (Op::Or, false),
            "^" => (Op::Xor, false),
            "<" => (Op::Less, false),
            ">" => (Op::Less, true),
            "<=" => (Op::LessEqual, false),
            ">=" => (Op::LessEqual, true),
            "==" => (Op::Equal, false),
            "!=" => (Op::NotEqual, false),
            _ => return None,
        };
        let shifts = matches!(op, Op::ShiftLeft | Op::ShiftRight);
        let (left, right) = (self.type_of(a), self.type_of(b));
        let common = if shifts {
            left.promoted()
        } else {
            left.common(right)
        };
        let a = self.convert(a, common)?;
        let b = if shifts { b } else { self.convert(b, common)? };
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        self.apply(op, common, a, b)
    }

    /// `a op b`, both brought to type `of` already.
    fn apply(&mut self, op: Operator, of: Type, a: At, b: At) -> Option<At> {
        let of = if op.compares() { Type::Bool } else { of };
        if op.divides() && self.known(b) == Some(0) {
            return None;
        }
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.push(Rule::Constant(of.wrap(op.of(a, b))), of),
            _ => self.push(Rule::Binary(op, a, b), of),
        }
    }

    /// `&&` and `||`: nothing here has an effect, so both sides may be computed.
    fn both(&mut self, text: &str, a: At, b: At) -> Option<At> {
        let (a, b) = (self.convert(a, Type::Bool)?, self.convert(b, Type::Bool)?);
        let (op, decides) = if text == "&&" {
            (Operator::And, false)
        } else {
            (Operator::Or, true)
        };
        match self.known(a) {
            Some(known) if (known != 0) == decides => Some(a),
            _ => self.apply(op, Type::Bool, a, b),
        }
    }

    /// The number in another type.
    pub(crate) fn convert(&mut self, at: At, of: Type) -> Option<At> {
        let from = self.type_of(at);
        if from == of || (from == Type::Bool && of != Type::Bool) {
            return self.retyped(at, of);
        }
        match self.known(at) {
            Some(value) => self.push(Rule::Constant(of.wrap(value)), of),
            None => self.push(Rule::Convert(at), of),
        }
    }

    /// A number that is in the other type's range already.
    fn retyped(&mut self, at: At, of: Type) -> Option<At> {
        if self.type_of(at) == of {
            return Some(at);
        }
        match self.known(at) {
            Some(value) => self.push(Rule::Constant(value), of),
            None => self.push(Rule::Convert(at), of),
        }
    }

    fn unary(&mut self) -> Option<At> {
        self.depth += 1;
        if self.depth > MOST_DEPTH || self.token().first_on_line && self.depth > 2 {
            return None;
        }
        let number = self.unary_inner();
        self.depth -= 1;
        number
    }

    fn unary_inner(&mut self) -> Option<At> {
        let text = self.text();
        if self.token().kind != Kind::Punct {
            return self.primary();
        }
        if text == "(" {
            return self.bracket();
        }
        if !matches!(text, "-" | "+" | "!" | "~") {
            return None;
        }
        self.next()?;
        let inner = self.unary()?;
        if text == "!" {
            let truth = self.convert(inner, Type::Bool)?;
            let zero = self.push(Rule::Constant(0), Type::Bool)?;
            return self.apply(Operator::Equal, Type::Bool, truth, zero);
        }
        let of = self.type_of(inner).promoted();
        let inner = self.convert(inner, of)?;
        let (op, other) = match text {
            "-" => (Operator::Subtract, 0),
            "~" => (Operator::Xor, of.wrap(-1)),
            _ => return Some(inner),
        };
        let other = self.push(Rule::Constant(other), of)?;
        self.apply(op, of, other, inner)
    }

    /// `( number )`, or a cast to a type of 32 bits.
    fn bracket(&mut self) -> Option<At> {
        self.next()?;
        let of = match self.text() {
            "int" => Some(Type::Int),
            "unsigned" | "uint" => Some(Type::Unsigned),
            _ => None,
        };
        let Some(of) = of else {
            let number = self.number()?;
            self.expect(")")?;
            return Some(number);
        };
        self.next()?;
        self.expect(")")?;
        let inner = self.unary()?;
        self.convert(inner, of)
    }

    fn primary(&mut self) -> Option<At> {
        let token = self.token();
        if let Kind::Whole { value, unsigned } = token.kind {
            self.next()?;
            let of = if unsigned { Type::Unsigned } else { Type::Int };
            return self.push(Rule::Constant(i64::from(value)), of);
        }
        if token.kind != Kind::Name {
            return None;
        }
        let name = self.text();
        self.next()?;
        match self.meaning(name) {
            Some(Meaning::Number(at)) => Some(at),
            Some(_) => None,
            None if matches!(name, "min" | "max") => self.least_or_most(name == "min"),
            None => self.given_number(name),
        }
    }

    fn least_or_most(&mut self, least: bool) -> Option<At> {
        self.expect("(")?;
        let a = self.number()?;
        self.expect(",")?;
        let b = self.number()?;
        self.expect(")")?;
        let of = self.type_of(a).common(self.type_of(b));
        let (a, b) = (self.convert(a, of)?, self.convert(b, of)?);
        let op = if least {
            Operator::Minimum
        } else {
            Operator::Maximum
        };
        self.apply(op, of, a, b)
    }

    /// `threadIdx.x` and the short names.
    fn given_number(&mut self, name: &str) -> Option<At> {
        let (given, of) = match self.given(name)? {
            (Given::Thread(_), Type::Unsigned) => (Given::Thread(self.axis()?), Type::Unsigned),
            (Given::Block(_), Type::Unsigned) => (Given::Block(self.axis()?), Type::Unsigned),
            (Given::BlockSize(_), of) => (Given::BlockSize(self.axis()?), of),
            (Given::GridSize(_), of) => (Given::GridSize(self.axis()?), of),
            short => short,
        };
        self.push(Rule::Given(given), of)
    }

    fn axis(&mut self) -> Option<usize> {
        self.expect(".")?;
        let axis = ["x", "y", "z"].iter().position(|axis| self.is(axis))?;
        self.next()?;
        Some(axis)
    }

    /// What a name stands for that no text declares; those of type `unsigned` want an axis.
    pub(crate) fn given(&self, name: &str) -> Option<(Given, Type)> {
        Some(match name {
            "threadIdx" => (Given::Thread(0), Type::Unsigned),
            "blockIdx" => (Given::Block(0), Type::Unsigned),
            "blockDim" => (Given::BlockSize(0), Type::Unsigned),
            "gridDim" => (Given::GridSize(0), Type::Unsigned),
            "warpSize" => (Given::WarpLanes, Type::Int),
            "lane" => (Given::Lane, Type::Int),
            "warp" => (Given::Warp, Type::Int),
            "tid" => (Given::Rank, Type::Int),
            "tx" => (Given::Thread(0), Type::Int),
            "ty" => (Given::Thread(1), Type::Int),
            "tz" => (Given::Thread(2), Type::Int),
            "bx" => (Given::Block(0), Type::Int),
            "by" => (Given::Block(1), Type::Int),
            "bz" => (Given::Block(2), Type::Int),
            _ => return None,
        })
    }
}
