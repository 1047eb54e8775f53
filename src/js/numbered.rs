//! Things that JavaScript knows by a number.

/// What is open, by number. Few are at once: they are looked for one by one.
pub(super) struct Numbered<T> {
    last: u32,
    open: Vec<(u32, T)>,
}

impl<T> Numbered<T> {
    pub(super) const fn new() -> Self {
        Self { last: 0, open: Vec::new() }
    }

    /// Takes a thing in and gives its number, which no other had.
    pub(super) fn add(&mut self, thing: T) -> u32 {
        self.last += 1;
        self.put(self.last, thing);
        self.last
    }

    /// Puts a thing back under the number that it had.
    pub(super) fn put(&mut self, number: u32, thing: T) {
        self.open.push((number, thing));
    }

    pub(super) fn get(&mut self, number: u32) -> Option<&mut T> {
        self.open.iter_mut().find(|(of, _)| *of == number).map(|(_, thing)| thing)
    }

    pub(super) fn take(&mut self, number: u32) -> Option<T> {
        let at = self.open.iter().position(|(of, _)| *of == number)?;
        Some(self.open.swap_remove(at).1)
    }
}
