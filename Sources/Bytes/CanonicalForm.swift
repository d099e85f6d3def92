// The standard library has its tables of normal forms behind this SPI only, which FoundationEssentials uses too.
@_spi(_Unicode) import Swift

extension String {
    /// The text in Normalization Form C: letters and their marks composed (Unicode Standard Annex #15).
    package var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : Self(scalars: _nfc)
    }

    /// The text in Normalization Form D: letters and their marks apart (Unicode Standard Annex #15).
    package var decomposed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : Self(scalars: _nfd)
    }

    private init(scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
