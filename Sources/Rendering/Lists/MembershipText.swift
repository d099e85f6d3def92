package import ChatModel

/// Joins and leaves in one sentence: `-- 3 joined (alice, bob, 민수), 1 left (carol)`.
package struct MembershipText: Sendable {
    /// The longest sentence in cells, when nothing else limits it: as on a terminal of 80.
    static let usualWidth = 57

    private let joined: Group
    private let left: Group

    package init(_ messages: [Message]) {
        joined = Group(verb: "joined", messages: messages.filter { $0.kind == .join })
        left = Group(verb: "left", messages: messages.filter { $0.kind == .leave })
    }

    /// Returns the sentence. Its counts are exact; it names as many people as fit and has `…` for the rest, or no names
    /// if one group would have none.
    package func sentence(width: Int) -> String {
        let groups = [joined, left].filter { $0.count > 0 }
        let bare = "-- " + groups.map(\.bare).joined(separator: ", ")
        var spare = width - DisplayWidth.atMost(bare)
        var names: [String] = []
        for (index, group) in groups.enumerated() {
            // The space that one group leaves goes to the next group.
            let others = groups[(index + 1)...].map(\.namesWidth)
            let share = max(spare / (others.count + 1), spare - others.reduce(0, +))
            names.append(group.names(width: share))
            spare -= DisplayWidth.atMost(names[index])
        }
        guard !names.contains("") else { return bare }
        return "-- " + zip(groups, names).map { $0.bare + $1 }.joined(separator: ", ")
    }

    private struct Group {
        let verb: String
        let count: Int
        /// Each name once, in order of appearance.
        let names: [String]

        init(verb: String, messages: [Message]) {
            self.verb = verb
            count = messages.count
            var seen: Set<String> = []
            names = messages.map { MessageLine.name(of: $0.sender) }.filter { seen.insert($0).inserted }
        }

        var bare: String { "\(count) \(verb)" }

        var namesWidth: Int {
            DisplayWidth.atMost(Self.list(names[...], isWhole: true))
        }

        /// Returns the names in parentheses; empty if not one fits.
        func names(width: Int) -> String {
            guard namesWidth > width else { return Self.list(names[...], isWhole: true) }
            var fitting = names[..<0]
            for end in names.indices {
                guard DisplayWidth.atMost(Self.list(names[...end], isWhole: false)) <= width else { break }
                fitting = names[...end]
            }
            return fitting.isEmpty ? "" : Self.list(fitting, isWhole: false)
        }

        private static func list(_ names: ArraySlice<String>, isWhole: Bool) -> String {
            " (" + (names + (isWhole ? [] : ["…"])).joined(separator: ", ") + ")"
        }
    }
}
