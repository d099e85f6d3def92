import Bytes
import ChatModel

/// A row of a database as a JSON object. All of its values may be missing.
protocol DatabaseRow: Decodable {
    /// The key of the network; nil in a database without networks.
    var network: String? { get }
    /// The reason why the row can't be read, for people; nil for a whole row.
    var error: String? { get }
    /// The table, in a database whose rows are of several; nil in others.
    var table: String? { get }
}

extension DatabaseRow {
    var table: String? { nil }
}

/// The facts about messages in the other tables of a database, whose rows come before the messages.
protocol DatabaseFacts<Row>: Sendable {
    associatedtype Row: DatabaseRow

    mutating func add(_ row: Row) throws(UnreadablePiece)
}

/// Reads the rows of one network of a database.
struct DatabaseRows<Row: DatabaseRow>: Sendable {
    /// The network that is read; nil in a database without messages of a network.
    let network: DatabaseHeader.Network?
    /// The keys of the networks that are not read, as the rows have them.
    private let otherKeys: Set<[UInt8]>
    /// True if the header lists every network.
    private let areAllKnown: Bool
    private let limit: Int

    /// - Parameters:
    ///   - limit: The limit of bytes in a row.
    /// - Throws: ``LogSourceError`` if the source is not a database of the format's program, or has several networks
    ///   and the user named none of them.
    init(_ source: LogSource, _ format: any LogFormat.Type, limit: Int) throws(LogSourceError) {
        guard let header = DatabaseHeader(source), header.database == format.name else {
            throw .unusable(reason: "it is not an SQLite database of \(format.name)", hint: "check its format")
        }
        network = try header.network(source.choices.network)
        areAllKnown = header.networks.count < DatabaseHeader.maximumNetworks
        let key = network?.key
        otherKeys = Set(header.networks.map(\.key).filter { $0 != key }.map { Array($0.utf8) })
        self.limit = limit
    }

    /// Returns the row of a line, with the faults of its bytes; nil for the header and for a row of another network.
    func row(_ line: LogLine) throws(UnreadablePiece) -> (row: Row, flags: MessageFlags)? {
        guard line.number > 1, !line.bytes.isBlank, !isOther(line.bytes) else { return nil }
        let piece = try JSONPiece<Row>(line, limit: limit)
        if let key = network?.key, let found = piece.value.network, found != key {
            guard areAllKnown, !otherKeys.contains(Array(found.utf8)) else { return nil }
            throw UnreadablePiece("its network is not in the database's list of networks")
        }
        if let error = piece.value.error { throw UnreadablePiece(error) }
        return (piece.value, piece.flags)
    }

    /// Returns the row of a message, as ``row(_:)`` does; adds the row of another table to the facts, and returns nil.
    func message(
        _ line: LogLine, _ facts: inout some DatabaseFacts<Row>
    ) throws(UnreadablePiece) -> (row: Row, flags: MessageFlags)? {
        guard let read = try row(line) else { return nil }
        if read.row.table == "message" { return read }
        try facts.add(read.row)
        return nil
    }

    /// Returns true if the row begins with the key of another network, which is found without reading the row.
    private func isOther(_ row: ArraySlice<UInt8>) -> Bool {
        guard !otherKeys.isEmpty, let rest = row.after(#"{"network":""#) else { return false }
        return otherKeys.contains(Array(rest.prefix { $0 != Byte.quote }))
    }
}

/// The content of a row of an IRC client's database.
struct IRCRecord {
    var kind: MessageKind
    var sender: String?
    var body: String?
    var remoteID: String?
    var replyTo: String?
    var reactions: [ImportedMessage.Reaction] = []

    init(_ kind: MessageKind, _ sender: String?, _ body: String?) {
        (self.kind, self.sender, self.body) = (kind, sender, body)
    }

    static func system(_ text: String?) -> IRCRecord { IRCRecord(.system, nil, text) }

    /// Returns a kick: the sender is `by`, the text `alice: why`.
    static func kick(_ victim: String, by: String?, _ why: String?) -> IRCRecord {
        IRCRecord(.kick, by, victim + (why.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""))
    }

    func message(
        in room: IRCLog.Room, at time: Timestamp, _ resolution: TimeResolution, flags: MessageFlags
    ) -> ImportedMessage {
        let body = ExportText(lines: [body])
        let sender = kind == .system ? nil : ExportText.name(sender)
        // A topic that was unset is empty, as in a live account.
        let hasText = [.message, .action, .notice, .topic].contains(kind)
        return ImportedMessage(
            room: room.name, roomKind: room.kind, kind: sender == nil ? .system : kind, sender: sender,
            body: body.string ?? (hasText && sender != nil ? "" : nil), time: time, resolution: resolution,
            remoteID: remoteID, flags: flags.union(body.flags), replyTo: replyTo, reactions: reactions)
    }
}
