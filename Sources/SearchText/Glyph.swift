/// A code point of a normalised text, with its origin.
struct Glyph {
    let scalar: Unicode.Scalar
    /// The range in the original's UTF-8 from which the code point was composed, formatting codes excluded. `UInt32`,
    /// because a body of 1 MiB may have a million glyphs, and `Int`s would take 24 MB.
    let origin: Range<UInt32>
}
