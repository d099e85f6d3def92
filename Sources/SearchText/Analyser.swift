/// Splits a message's body into the tokens that the search index stores.
///
/// The result depends only on the body and ``version``, because an edited or deleted body is analysed a second time to
/// remove it from the index.
package enum Analyser {
    /// The version of the analysis. Raise it with every change of any body's tokens or any message's facets, new
    /// Unicode tables of the compiler included, or of the rowids. An index of another version is rebuilt. A test compares
    /// all code points with a known digest.
    package static let version = 3

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
        Segmenter.forEachPart(of: body) { kind, token, _ in writer.write(kind, token) }
        return writer.indexed
    }

    /// Returns true for short printable ASCII, for which `unicode61` itself gives the right tokens.
    private static func isPlain(_ body: String) -> Bool {
        func isPrintable(_ byte: UInt8) -> Bool { 0x20 <= byte && byte < 0x7F }
        guard body.utf8.count <= maximumBytes else { return false }
        // Reading the bytes in place takes a third of the instructions.
        return body.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) }
            ?? body.utf8.allSatisfy(isPrintable)
    }
}
