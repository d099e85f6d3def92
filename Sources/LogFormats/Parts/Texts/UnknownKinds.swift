/// Counts the messages whose content is left out because the format does not know its kind, by the kind's name.
///
/// Takes constant memory, because the names come from files of strangers.
package struct UnknownKinds: Sendable, Hashable {
    /// The limit of kinds with a name. A program adds a few kinds in a year.
    private static let maximumNames = 20
    /// The limit of a name in bytes. The longest real one (`giveaway_information`) has 20.
    static let maximumName = 64

    /// The number of messages by the kind's name.
    package private(set) var counts: [String: Int] = [:]
    /// The number of messages of other kinds, once there are too many.
    package private(set) var others = 0

    package init() {}

    mutating func count(_ name: String) {
        add(Self.name(name), 1)
    }

    /// Adds the counts of another source.
    package mutating func add(_ other: UnknownKinds) {
        for (name, count) in other.counts.sorted(by: { $0.key < $1.key }) { add(name, count) }
        others += other.others
    }

    private mutating func add(_ name: String, _ count: Int) {
        guard counts[name] != nil || counts.count < Self.maximumNames else { return others += count }
        counts[name, default: 0] += count
    }

    /// Returns a name from a file, cut at ``maximumName``.
    static func name(_ name: String) -> String {
        ExportText(lines: [name], limit: maximumName).string ?? "?"
    }
}
