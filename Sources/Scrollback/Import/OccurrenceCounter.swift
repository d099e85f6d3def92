import ChatModel

/// Counts the messages of one source that are alike, so that each can be told from the others (`docs/import.md`).
///
/// Exact while like messages have fewer than ``capacity`` different ones between them, and always for a source that is
/// in order of time, where a minute's messages stand together.
struct OccurrenceCounter {
    private struct Key: Hashable {
        var first: Int
        var second: Int
        var time: Int64
        var resolution: TimeResolution
    }

    /// At about 60 bytes each.
    static let capacity = 100_000

    private let folding: NameFolding
    private var counts: [Key: Int] = [:]
    private var minute: Timestamp?

    /// - Parameter folding: The store's own, or it would count others than these.
    init(folding: NameFolding) {
        self.folding = folding
    }

    mutating func count(_ message: inout ImportedMessage) {
        let time = message.matchedTime
        let minute = TimeResolution.minute.floor(time)
        if minute != self.minute, counts.count >= Self.capacity { counts.removeAll(keepingCapacity: true) }
        self.minute = minute
        let (first, second) = (hash(1, message), hash(2, message))
        func next(_ resolution: TimeResolution) -> Int {
            let key = Key(
                first: first, second: second, time: resolution.floor(time).microseconds, resolution: resolution)
            return counts[key, default: 0].increment()
        }
        message.occurrence.inMinute = next(.minute)
        guard message.resolution != .minute else { return }
        message.occurrence.inSecond = next(.second)
        guard message.resolution != .second else { return }
        message.occurrence.inMicrosecond = next(.microsecond)
    }

    /// Of two, so that even among millions none is taken for another.
    private func hash(_ seed: Int, _ message: ImportedMessage) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        for text in [folding.fold(message.room), message.sender.map(folding.fold), message.body] {
            hasher.combine(text?.utf8.count)
            // Bytes: strings that are canonically equivalent would be equal.
            var text = text ?? ""
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
        hasher.combine(message.kind)
        return hasher.finalize()
    }
}

extension Int {
    fileprivate mutating func increment() -> Int {
        self += 1
        return self
    }
}
