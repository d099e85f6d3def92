/// Makes of a message's body the words by which it is found.
///
/// A body gives the same text always: what an edit or a delete takes out of the index is analysed again.
package enum Analyser {
    /// Goes up with every change that gives any body another text, the Unicode tables of the compiler included, or any
    /// message other facets; an index of another version is made anew. A test compares all code points with a known digest.
    package static let version = 2

    /// 1 MiB: a longer body is found by its beginning. Analysing that much takes half a second and 40 MB at most.
    package static let maximumBytes = 1 << 20

    package static func analyse(_ body: String) -> IndexedText {
        if isPlain(body) {
            return IndexedText(text: body, chars: "")
        }
        var writer = IndexWriter()
        for part in Segmenter(body) {
            writer.write(part)
        }
        return writer.indexed
    }

    /// Whether `unicode61` alone makes the right tokens: printable ASCII, not too long.
    private static func isPlain(_ body: String) -> Bool {
        body.utf8.count <= maximumBytes && body.utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F }
    }
}
