/// A code point of a normalised text, and where it comes from.
struct Glyph {
    let scalar: Unicode.Scalar
    /// The range in the original's UTF-8 that the code point was composed of, formatting codes excluded. `UInt32`,
    /// because a body of 1 MiB may have a million glyphs, and `Int`s would take 24 MB.
    let origin: Range<UInt32>
}
