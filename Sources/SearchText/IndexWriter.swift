/// Writes parts as tokens: words and emoji as they are, runs as overlapping pairs and their last character alone.
///
/// `우리집` becomes `우리 리집 집`: two characters are found as a token, more as a phrase of pairs; the last alone says
/// where the run ends, by which a phrase tells a whole run from the middle of one.
struct IndexWriter {
    private var text = String.UnicodeScalarView()
    private var chars = String.UnicodeScalarView()
    private var seen: Set<Unicode.Scalar> = []

    var indexed: IndexedText {
        IndexedText(text: String(text), chars: String(chars))
    }

    mutating func write(_ part: Part) {
        switch part.kind {
        case .word, .emoji: write(token: part.token)
        case .run: write(run: part.token)
        }
    }

    private mutating func write(run: [Unicode.Scalar]) {
        for index in run.indices {
            write(token: run[index...].prefix(2))
            if seen.insert(run[index]).inserted {
                Self.append(CollectionOfOne(run[index]), to: &chars)
            }
        }
    }

    private mutating func write(token: some Collection<Unicode.Scalar>) {
        Self.append(token, to: &text)
    }

    private static func append(_ token: some Collection<Unicode.Scalar>, to column: inout String.UnicodeScalarView) {
        if !column.isEmpty {
            column.append(" ")
        }
        column.append(contentsOf: token)
    }
}
