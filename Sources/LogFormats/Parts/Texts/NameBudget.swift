/// A limit of the memory for the names of an export's people and rooms.
struct NameBudget: Sendable {
    /// 24 MiB of names and ids, with the overhead of each entry: 170,000 people of 25 bytes, or half as many rooms. The
    /// largest workspaces that Slack allows have 500,000 members; only the first ones in the list keep their names.
    static let maximumSize = 24 * 1024 * 1024
    /// The overhead of an entry: two strings of 16 bytes in a table that is up to half empty, and the headers of their
    /// memory (32 bytes each).
    private static let entrySize = 120

    private var size = 0
    /// The number of people and rooms that aren't remembered.
    private(set) var forgotten = 0

    /// Returns true if there is room for an entry with these texts; otherwise counts it as forgotten.
    ///
    /// - Parameter entries: The number of entries in tables.
    mutating func reserve(_ texts: String?..., entries: Int = 1) -> Bool {
        let bytes = texts.reduce(Self.entrySize * entries) { $0 + ($1?.utf8.count ?? 0) }
        guard bytes <= Self.maximumSize - size else {
            forgotten += 1
            return false
        }
        size += bytes
        return true
    }

    var assumptions: [String] { assumptions("people and rooms shown by their ids, because the names before them") }

    /// - Parameter facts: What an entry is, such as `reactions`.
    func assumptions(leftOut facts: String) -> [String] {
        assumptions("\(facts) left out, because those before them")
    }

    private func assumptions(_ words: String) -> [String] {
        forgotten > 0 ? ["\(words) fill \(Self.maximumSize / 1024 / 1024) MiB: \(forgotten)"] : []
    }
}
