package import Archive
package import ChatModel
import Rendering

/// One message with all its details.
package struct MessageOperation: ArchiveOperation {
    package var id: MessageID
    /// Needed if several accounts have the id.
    package var account: String?

    package init(id: MessageID, account: String?) {
        (self.id, self.account) = (id, account)
    }

    package static let parameters: [Parameter] = [
        Parameter("message", .text, "The message's id."), Parameter("account", .text, "The account of the message."),
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(id: try Self.id(parameters.text("message") ?? ""), account: parameters.text("account"))
    }

    /// Reads the id of a message.
    ///
    /// - Throws: ``UsageError`` for another text.
    package static func id(_ text: String) throws -> MessageID {
        guard let time = Timestamp(cursor: text) else {
            throw UsageError(
                """
                "\(Sanitizer.line(text))" is not a message id; ids look like 2026-11-21T06:23:11.123456Z, \
                and "scrollback history ROOM --ids" prints them
                """)
        }
        return MessageID(time)
    }

    package func detail(in reading: ArchiveReading) async throws -> MessageDetail {
        try Self.found(await reading.message(id, account: account), id, account: account, in: reading) {
            NextCommand.line(["show", $0.id.description, "-a", $0.account])
        }
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) async throws -> OperationAnswer {
        OperationAnswer(JSONValue(try await detail(in: reading)))
    }

    /// Returns the only result of a look-up.
    ///
    /// - Parameter command: Returns the command that shows a message.
    /// - Throws: ``OperationError`` if no account, or more than one, has the message.
    package static func found<Found>(
        _ lookup: Lookup<Found>, _ id: MessageID, account: String?, in reading: ArchiveReading,
        command: (MessagePlace) -> String
    ) throws -> Found {
        switch lookup {
        case .found(let found): return found
        case .several(let accounts):
            let commands = accounts.map { command(MessagePlace(id: id, account: $0)) }
            throw OperationError(
                .ambiguous, "message \(id) exists in more than one account",
                hint: "choose one: \(commands.joined(separator: ", or "))")
        case .unknown(let before, let after):
            let place = account.map { "account \"\(Sanitizer.line($0))\" of " } ?? ""
            let nearest = [("before", before), ("after", after)].compactMap { side, place in
                place.map { "nearest \(side): \(command($0))" }
            }
            throw OperationError(
                .unknownMessage, "no message \(id) in \(place)\(Sanitizer.line(reading.folder))",
                hint: nearest.isEmpty ? nil : nearest.joined(separator: ", "))
        }
    }
}
