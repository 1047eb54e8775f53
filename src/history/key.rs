//! Keys: what makes a write that is sent twice one version.
//!
//! A caller may give a key. Where a save has none, its key is derived here from what the save says, so that the same save
//! is the same key on every machine and in every version of this crate: the hash is written out (SipHash-2-4 with a
//! 128-bit result, under a fixed key).
//!
//! Collisions: by accident none will be seen in 128 bits. Still, no key is trusted alone: whoever is answered with the
//! version of a known key compares that version with what was sent, and refuses one that is another write's. So two saves
//! with one key are a refusal, never a lost text.

use std::fmt::Write;

/// Derives a key from the parts that say what a write is. `None` differs from every text, and parts do not run together.
#[derive(Clone, Debug)]
pub(super) struct Derived(Sip);

impl Derived {
    /// A key of this kind.
    pub(super) fn of(kind: &str) -> Self {
        Self(Sip::new()).and(kind)
    }

    /// A part.
    pub(super) fn and(mut self, part: &str) -> Self {
        self.0.write(&(part.len() as u64).to_le_bytes());
        self.0.write(part.as_bytes());
        self
    }

    /// A part that may be left out.
    pub(super) fn and_maybe(mut self, part: Option<&str>) -> Self {
        match part {
            Some(part) => self.and(part),
            None => {
                self.0.write(&u64::MAX.to_le_bytes());
                self
            }
        }
    }

    /// A number.
    pub(super) fn and_number(mut self, number: u32) -> Self {
        self.0.write(&u64::from(number).to_le_bytes());
        self
    }

    /// 32 digits in base 16.
    pub(super) fn digits(self) -> String {
        let mut digits = String::with_capacity(32);
        // Writing to a string does not fail.
        let _ = write!(digits, "{:032x}", self.0.finish());
        digits
    }
}

/// SipHash-2-4-128 (Aumasson and Bernstein), with a key of zeros: stable, not secret.
#[derive(Clone, Debug)]
struct Sip {
    state: [u64; 4],
    tail: u64,
    length: u64,
}

impl Sip {
    fn new() -> Self {
        let state = [0x736f_6d65_7073_6575, 0x646f_7261_6e64_6f6d ^ 0xee, 0x6c79_6765_6e65_7261, 0x7465_6462_7974_6573];
        Self { state, tail: 0, length: 0 }
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let shift = (self.length % 8) * 8;
            self.tail |= u64::from(*byte) << shift;
            self.length = self.length.wrapping_add(1);
            if shift == 56 {
                self.block(self.tail);
                self.tail = 0;
            }
        }
    }

    fn block(&mut self, block: u64) {
        self.state[3] ^= block;
        self.rounds(2);
        self.state[0] ^= block;
    }

    fn rounds(&mut self, rounds: usize) {
        let [mut a, mut b, mut c, mut d] = self.state;
        for _ in 0..rounds {
            a = a.wrapping_add(b);
            b = b.rotate_left(13) ^ a;
            a = a.rotate_left(32);
            c = c.wrapping_add(d);
            d = d.rotate_left(16) ^ c;
            a = a.wrapping_add(d);
            d = d.rotate_left(21) ^ a;
            c = c.wrapping_add(b);
            b = b.rotate_left(17) ^ c;
            c = c.rotate_left(32);
        }
        self.state = [a, b, c, d];
    }

    fn finish(mut self) -> u128 {
        self.block(self.tail | (self.length << 56));
        self.state[2] ^= 0xee;
        self.rounds(4);
        let [a, b, c, d] = self.state;
        let first = a ^ b ^ c ^ d;
        self.state[1] ^= 0xdd;
        self.rounds(4);
        let [a, b, c, d] = self.state;
        let second = a ^ b ^ c ^ d;
        (u128::from(second) << 64) | u128::from(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_published() {
        // The reference vectors use the key 00 01 … 0f.
        let (k0, k1) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
        let keyed = || {
            let mut sip = Sip::new();
            for (at, key) in [k0, k1, k0, k1].into_iter().enumerate() {
                sip.state[at] ^= key;
            }
            sip
        };
        assert_eq!(keyed().finish().to_le_bytes()[..4], [0xa3, 0x81, 0x7f, 0x04]);
        let mut one = keyed();
        one.write(&[0]);
        assert_eq!(one.finish().to_le_bytes()[..4], [0xda, 0x87, 0xc1, 0xd8]);
    }

    #[test]
    fn parts_do_not_run_together() {
        let keys = [
            Derived::of("save").and("ab").and("c").digits(),
            Derived::of("save").and("a").and("bc").digits(),
            Derived::of("save").and("abc").and_maybe(None).digits(),
            Derived::of("save").and("abc").and_maybe(Some("")).digits(),
            Derived::of("sav").and("eabc").digits(),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(key.len(), 32);
            assert!(!keys[..at].contains(key), "{at}");
        }
    }
}
