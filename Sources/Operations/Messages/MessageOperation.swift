package import ChatModel
package import Options
package import Reading
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
        .message, .accountOfMessage,
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
                "\(Sanitizer.value(text))" is not a message id; ids look like 2026-11-21T06:23:11.123456Z, \
                and "scrollback history ROOM --ids" prints them
                """)
        }
        return MessageID(time)
    }

    package func detail(in reading: ArchiveReading) throws -> MessageDetail {
        try Self.found(
            reading.message(id, account: account), id, account: account, in: reading, naming: Self.name)
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        OperationAnswer(JSONValue(try detail(in: reading)))
    }

    /// Returns the id and the account of a message, for interfaces without commands.
    package static func name(of place: MessagePlace) -> String {
        "\(place.id) of account \"\(Sanitizer.line(place.account))\""
    }

    /// Returns the only result of a look-up.
    ///
    /// - Parameter naming: Returns the text that names another message: the command that shows it, or ``name(of:)``.
    /// - Throws: ``OperationError`` if no account, or more than one, has the message.
    package static func found<Found>(
        _ lookup: Lookup<Found>, _ id: MessageID, account: String?, in reading: ArchiveReading,
        naming: (MessagePlace) -> String
    ) throws -> Found {
        switch lookup {
        case .found(let found): return found
        case .several(let accounts):
            let names = accounts.map { naming(MessagePlace(id: id, account: $0)) }
            throw OperationError(
                .ambiguous, "message \(id) exists in more than one account",
                hint: "choose one: \(names.joined(separator: ", or "))")
        case .unknown(let before, let after):
            let place = account.map { "account \"\(Sanitizer.line($0))\" of " } ?? ""
            let nearest = [("before", before), ("after", after)].compactMap { side, place in
                place.map { "nearest \(side): \(naming($0))" }
            }
            throw OperationError(
                .unknownMessage, "no message \(id) in \(place)\(Sanitizer.line(reading.folder))",
                hint: nearest.isEmpty ? nil : nearest.joined(separator: ", "))
        }
    }
}
