/// A code point of a normalised text, and where it comes from.
struct Glyph {
    let scalar: Unicode.Scalar
    /// Offsets into the original's UTF-8; of everything it was composed of, formatting codes excluded.
    let origin: Range<Int>
}
