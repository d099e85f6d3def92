import ChatModel
import Files

extension MessageKind {
    /// The value of `message.kind`. The two most frequent kinds are 0 and 1, because SQLite stores these numbers
    /// without any bytes.
    package var code: Int64 {
        switch self {
        case .message: 0
        case .action: 1
        case .notice: 2
        case .system: 3
        case .join: 4
        case .leave: 5
        case .kick: 6
        case .rename: 7
        case .topic: 8
        case .mode: 9
        case .invite: 10
        }
    }

    private static let byCode: [MessageKind] = allCases.sorted { $0.code < $1.code }

    /// - Throws: ``ArchiveError`` for a number that no version of the schema has.
    package init(code: Int64) throws {
        guard Self.byCode.indices.contains(Int(clamping: code)) else {
            throw ArchiveError(code: .corrupt, detail: "a message has the unknown kind \(code)")
        }
        self = Self.byCode[Int(code)]
    }
}
