/// Finds the conversations with messages in a span of time: `CHATHISTORY TARGETS`.
package struct HistoryTargets: Sendable {
    package enum Action: Sendable, Hashable {
        case request(IRCMessage)
        /// A conversation, returned once, with the time of its latest message in milliseconds since 1970.
        case found([UInt8], latest: Int64)
        /// The end. `isComplete` is false if the server may have more targets at one time than an answer has room for.
        case finished(isComplete: Bool)
    }

    /// The type of the answer's batch.
    package static let batchType = "draft/chathistory-targets"
    /// The limit of targets that are remembered to recognise repeated ones.
    static let maximumTargets = 10_000
    /// The longest target in bytes, as of a line without tags (RFC 2812 §2.3); a longer one can't be requested.
    private static let maximumNameBytes = 512

    private let pageSize: Int
    private let end: Int64
    private let mapping: CaseMapping
    private var from: Int64
    private var found: Set<[UInt8]> = []
    private var isComplete = true
    /// The most lines in an answer so far. A shorter answer has all that the server has.
    private var longest = 0
    /// True if the rest of a millisecond was passed over. If there are targets after it, the server cut the answer, so it
    /// may have more targets of that millisecond.
    private var mayBeCut = false
    /// The number of consecutive answers without a new target.
    private var stalls = 0

    /// - Parameters:
    ///   - from: The time before the last covered line, in milliseconds of the network's clock; excluded.
    ///   - to: The present time of that clock; excluded.
    package init(from: Int64, to: Int64, limit: Int, mapping: CaseMapping) {
        (self.from, end) = (max(from, ServerTime.earliest), min(to, ServerTime.latest))
        self.mapping = mapping
        pageSize = limit > 0 ? min(limit, HistoryFill.maximumPage) : HistoryFill.maximumPage
    }

    /// Returns the next request.
    package func begin() -> [Action] {
        let times = [from, end].map { Array("timestamp=") + ServerTime.text(milliseconds: $0) }
        return [.request(IRCMessage("CHATHISTORY", [Array("TARGETS")] + times + [Array("\(pageSize)")]))]
    }

    /// Takes the lines of an answer: `CHATHISTORY TARGETS target time`.
    package mutating func receive(page: [IRCMessage]) -> [Action] {
        let lines = page.compactMap { line -> (name: [UInt8], time: Int64)? in
            guard line.verb == "CHATHISTORY", line.param(0, is: "TARGETS"), !line.param(1).isEmpty,
                line.param(1).count <= Self.maximumNameBytes
            else { return nil }
            return ServerTime.milliseconds(line.param(2)).map { (line.param(1), $0) }
        }
        let new = lines.filter { found.insert(mapping.fold($0.name)).inserted }
        let actions = new.map { Action.found($0.name, latest: $0.time) }
        if mayBeCut, !new.isEmpty { isComplete = false }
        stalls = new.isEmpty ? stalls + 1 : 0
        let isAtLimit = found.count >= Self.maximumTargets || stalls > HistoryFill.maximumStalls
        if isAtLimit { isComplete = false }
        let isFull = lines.count >= pageSize || lines.count > 1 && lines.count >= longest
        longest = max(longest, lines.count)
        let times = lines.map(\.time)
        guard let first = times.min(), let last = times.max(), isFull || !new.isEmpty, !isAtLimit else {
            return actions + [.finished(isComplete: isComplete)]
        }
        if first < last, last > from + 1, !new.isEmpty {
            // The answer may have only a part of the last millisecond.
            from = last - 1
        } else {
            // From before that millisecond, the server would answer the same.
            from = max(last, from + 1)
            mayBeCut = isFull
            if lines.count >= pageSize { isComplete = false }
        }
        return actions + (from < end ? begin() : [.finished(isComplete: isComplete)])
    }
}
