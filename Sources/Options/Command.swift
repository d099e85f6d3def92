/// A type whose properties are parameters: a command, or a group of options.
package protocol ParsableArguments: SendableMetatype {
    init()

    /// Checks the values that were given.
    ///
    /// - Throws: ``ValidationError`` for values that can't be used, or not together.
    mutating func validate() throws
}

/// A command: its properties are its parameters.
///
/// `@Option`, `@Flag` and `@Argument` each add a ``Parameter`` to the command that is created. Only the command that the
/// words name is created, and nothing looks up conformances at run time, so reading the words of a search takes half a
/// million instructions *(measured)*.
package protocol Command: ParsableArguments {
    static var configuration: CommandConfiguration { get }

    mutating func run() async throws

    /// True for a command whose ``read()`` may do its work. A requirement here, because asking whether a type conforms to
    /// another protocol would cost each start 600,000 instructions.
    static var isReader: Bool { get }

    /// Does the work of a command that only reads, without tasks.
    ///
    /// - Returns: False if it did nothing, because the options ask for more than reading.
    func read() throws -> Bool
}

/// A command that only reads. The program runs it on its main thread.
package protocol ReadingCommand: Command {
    func run() throws
}

extension ReadingCommand {
    package static var isReader: Bool { true }

    package func read() throws -> Bool {
        try run()
        return true
    }
}

extension ParsableArguments {
    package mutating func validate() throws {}
}

extension Command {
    /// Shows the help of a command that only has others below it.
    package mutating func run() async throws { throw CleanExit.helpRequest }

    package static var isReader: Bool { false }

    package func read() throws -> Bool { false }

    package static var name: String { configuration.commandName }
}

package struct CommandConfiguration: Sendable {
    package var commandName: String
    /// A sentence.
    package var abstract: String
    /// The line of usage; nil for one that is made of the parameters.
    package var usage: String?
    package var discussion: String
    package var ungroupedSubcommands: [any Command.Type]
    package var groupedSubcommands: [CommandGroup]
    /// The subcommand for words that name none.
    package var defaultSubcommand: (any Command.Type)?

    package init(
        commandName: String, abstract: String, usage: String? = nil, discussion: String = "",
        subcommands: [any Command.Type] = [], groupedSubcommands: [CommandGroup] = [],
        defaultSubcommand: (any Command.Type)? = nil
    ) {
        (self.commandName, self.abstract, self.usage) = (commandName, abstract, usage)
        (self.discussion, ungroupedSubcommands) = (discussion, subcommands)
        (self.groupedSubcommands, self.defaultSubcommand) = (groupedSubcommands, defaultSubcommand)
    }

    package var subcommands: [any Command.Type] { ungroupedSubcommands + groupedSubcommands.flatMap(\.subcommands) }
}

/// Commands below a title of the help.
package struct CommandGroup: Sendable {
    package var name: String
    package var subcommands: [any Command.Type]

    package init(name: String, subcommands: [any Command.Type]) {
        (self.name, self.subcommands) = (name, subcommands)
    }
}
