/// A code point of a normalised text, and where it comes from.
struct Glyph {
    let scalar: Unicode.Scalar
    /// Offsets into the original's UTF-8; of everything it was composed of, formatting codes excluded. A body of 1 MiB may have
    /// a million of them: as `Int`s they would take 24 MB.
    let origin: Range<UInt32>
}
