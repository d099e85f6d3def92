import ArgumentParser

/// The options for messages around each hit, as in grep.
struct ContextOptions: ParsableArguments {
    /// The range of messages on each side of a hit: a page of 1,000 hits has 201,000 messages at most.
    static let limits = 0...100

    @Option(
        name: [.customShort("A", allowingJoined: true), .long],
        help: ArgumentHelp("Show this many messages of the room after each hit (0 to 100).", valueName: "n"))
    var afterContext: Int?

    @Option(
        name: [.customShort("B", allowingJoined: true), .long],
        help: ArgumentHelp("Show this many messages before each hit (0 to 100).", valueName: "n"))
    var beforeContext: Int?

    @Option(
        name: [.customShort("C", allowingJoined: true), .long],
        help: ArgumentHelp("Show this many messages before and after each hit (0 to 100).", valueName: "n"))
    var context: Int?

    var isWanted: Bool { afterContext ?? beforeContext ?? context != nil }
    var before: Int { beforeContext ?? context ?? 0 }
    var after: Int { afterContext ?? context ?? 0 }

    func validate() throws {
        for (option, value) in [("A", afterContext), ("B", beforeContext), ("C", context)] {
            guard let value, !Self.limits.contains(value) else { continue }
            throw ValidationError("-\(option) takes 0 to 100, not \(value); history --around ID shows more")
        }
    }

    var given: [String] {
        [("-A", afterContext), ("-B", beforeContext), ("-C", context)].flatMap { option, value in
            value.map { [option, String($0)] } ?? []
        }
    }
}
