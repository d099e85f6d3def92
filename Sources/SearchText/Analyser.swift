/// Turns a message's body into the tokens that the search index stores.
///
/// The result depends on the body and ``version`` alone: to take an edited or deleted body out of the index, it is
/// analysed a second time.
package enum Analyser {
    /// The version of the analysis. It rises with every change that gives any body other tokens or any message other
    /// facets, new Unicode tables of the compiler included; an index of another version is rebuilt. A test compares all
    /// code points with a known digest.
    package static let version = 2

    /// The largest part of a body that is indexed: 1 MiB of UTF-8, from its beginning. To analyse 1 MiB takes half a
    /// second and 40 MB at most.
    package static let maximumBytes = 1 << 20

    /// Returns the text for the index columns `text` and `chars`. Both are empty for a body without words, emoji or
    /// characters of a run.
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

    /// Returns true for short printable ASCII, of which `unicode61` alone makes the right tokens.
    private static func isPlain(_ body: String) -> Bool {
        body.utf8.count <= maximumBytes && body.utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F }
    }
}
