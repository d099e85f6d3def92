/// Writes parts as tokens: words and emoji unchanged, a run as overlapping pairs and its last character alone.
///
/// `우리집` becomes `우리 리집 집`. A query of two characters is one token, a longer one a phrase of pairs; the last character
/// alone marks the run's end, so that a phrase can require a whole run.
struct IndexWriter {
    private var text = Column()
    private var chars = Column()
    private var seen: Set<Unicode.Scalar> = []

    /// The initial capacity. Most messages have fewer characters in runs, so that one allocation is enough.
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

/// Tokens with a space between them, as bytes, because appending code points to a string is slow.
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
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { bytes.append(byte) }
        }
    }
}
