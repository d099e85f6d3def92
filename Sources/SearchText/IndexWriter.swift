/// Writes parts as tokens: words and emoji as they are, runs as overlapping pairs and their last character alone.
///
/// `우리집` becomes `우리 리집 집`: two characters are found as a token, more as a phrase of pairs; the last alone says
/// where the run ends, by which a phrase tells a whole run from the middle of one.
struct IndexWriter {
    private var text = Column()
    private var chars = Column()
    private var seen: Set<Unicode.Scalar> = []

    /// Most messages have fewer characters in runs, so that one allocation does.
    private static let usualCount = 32

    var indexed: IndexedText {
        IndexedText(text: text.string, chars: chars.string)
    }

    mutating func write(_ part: Part) {
        switch part.kind {
        case .word, .emoji: text.append(part.token[...])
        case .run: write(run: part.token)
        }
    }

    private mutating func write(run: [Unicode.Scalar]) {
        if seen.isEmpty { seen.reserveCapacity(Self.usualCount) }
        for index in run.indices {
            text.append(run[index...].prefix(2))
            if seen.insert(run[index]).inserted {
                chars.append(run[index...index])
            }
        }
    }
}

/// Tokens with a space between; as bytes, because strings grow slowly by code points.
private struct Column {
    private var bytes: [UInt8] = []

    var string: String {
        String(decoding: bytes, as: UTF8.self)
    }

    mutating func append(_ token: ArraySlice<Unicode.Scalar>) {
        if !bytes.isEmpty {
            bytes.append(UInt8(ascii: " "))
        }
        for scalar in token {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
