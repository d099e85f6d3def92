/// Splits a message's body into the tokens that the search index stores.
///
/// The result depends only on the body and ``version``, because an edited or deleted body is analysed a second time to
/// remove it from the index.
package enum Analyser {
    /// The version of the analysis. Raise it with every change of any body's tokens or any message's facets, new
    /// Unicode tables of the compiler included, or of the rowids. An index of another version is rebuilt. A test compares
    /// all code points with a known digest.
    package static let version = 7

    /// The analyser from which on an index has words in every spelling that people type, and clusters. Earlier ones fold
    /// only case, width and accents.
    package static let firstWithSpellings = 5

    /// The analyser from which on `ǯ` is `ʒ`, `ѝ` is `и`, and rare Latin letters are letters of ASCII.
    package static let firstWithRareLetters = 6

    /// The largest part of a body that is indexed: 1 MiB of UTF-8, from its beginning. Analysing 1 MiB takes at most
    /// 0.5 s and 40 MB.
    package static let maximumBytes = 1 << 20

    /// Returns the text for the index columns `text` and `chars`. Both are empty for a body without words, emoji or
    /// characters of a run.
    package static func analyse(_ body: String) -> IndexedText {
        if isPlain(body) {
            return IndexedText(text: body, chars: "")
        }
        var writer = IndexWriter(size: body.utf8.count)
        Segmenter.forEachPart(of: body) { kind, token, _, joints in writer.write(kind, token, joints: joints) }
        return writer.indexed
    }

    /// Returns true for short printable ASCII, for which `unicode61` itself gives the right tokens: ``analyse(_:)`` returns
    /// it unchanged.
    package static func isPlain(_ body: String) -> Bool {
        guard body.utf8.count <= maximumBytes else { return false }
        return body.utf8.withContiguousStorageIfAvailable(isPrintable)
            ?? Array(body.utf8).withUnsafeBufferPointer(isPrintable)
    }

    /// Takes 8 bytes a step, because one byte a step costs a percent of the time of storing a message *(measured)*.
    private static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        let (ones, spaces): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x2020_2020_2020_2020)
        let high: UInt64 = 0x8080_8080_8080_8080
        let whole = raw.count & ~7
        for place in stride(from: 0, to: whole, by: 8) {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            // Adding 1 sets the high bit of 0x7F. Subtracting 0x20 from a byte with its high bit clears that if it is less.
            guard (word | (word &+ ones)) & high == 0, ((word | high) &- spaces) & high == high else { return false }
        }
        return raw[whole...].allSatisfy { 0x20 <= $0 && $0 < 0x7F }
    }
}
