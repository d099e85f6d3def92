import ChatModel
import Crypto
import FoundationEssentials
package import PostgreSQL
package import Reading
import Schema

/// Compares an account of the shared archive with its file: the number of rows and a digest, for messages by room and
/// month, for other tables as a whole. Messages that rules removed from the file are no difference.
package struct Verification: Sendable, Hashable {
    /// The number of compared rows.
    package var rows: Int64 = 0
    /// The parts that differ.
    package var differences: [Difference] = []

    package struct Difference: Sendable, Hashable {
        package var table: String
        /// The room's number, for messages.
        package var room: Int64?
        /// The month as `2026-11`, for messages.
        package var month: String?
        package var rowsOfFile: Int64
        package var rowsShared: Int64
    }

    /// Compares an account, whose file must not change meanwhile.
    ///
    /// - Returns: Nil if the shared archive is behind, or has no such account.
    /// - Throws: ``PostgreSQLError``; `ArchiveError` for the file.
    package static func of(_ mirror: AccountMirror, _ server: PostgreSQLConnection) throws -> Verification? {
        let end = try mirror.end().position
        return try server.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", timeout: 3600) {
            let found = try server.execute(
                """
                SELECT id, seq FROM scrollback.account JOIN scrollback.feed_position ON account_id = id
                WHERE folder = $1 AND epoch = $2
                """, [.text(mirror.folder), .text(end.epoch)])
            guard found.count == 1, let id = try found.integer(0, 0), try found.integer(0, 1) == end.seq else {
                return nil
            }
            return try mirror.snapshot(at: end) { snapshot in
                var verification = Verification()
                for table in SchemaTable.allSent { try verification.compare(table, snapshot, account: id, server) }
                return verification
            }
        }
    }

    private struct Part: Hashable {
        var room: Int64?
        /// The months since year 0.
        var month: Int64?
    }

    private struct Sum: Equatable {
        var rows: Int64 = 0
        var digest: UInt128 = 0
    }

    private mutating func compare(
        _ table: SchemaTable, _ snapshot: MirrorSnapshot, account: Int64, _ server: PostgreSQLConnection
    ) throws {
        let (file, shared) = (try Self.sums(table, snapshot), try Self.sums(table, account: account, server))
        rows += file.values.reduce(0) { $0 + $1.rows }
        let purged = try snapshot.purgedRooms().mapValues { CivilMonth.of(microseconds: $0.microseconds) }
        for part in Set(file.keys).union(shared.keys).sorted(by: Self.comesBefore) where file[part] != shared[part] {
            if Self.mayLack(part, of: table, purged), file[part]?.rows ?? 0 <= shared[part]?.rows ?? 0 { continue }
            differences.append(
                Difference(
                    table: table.sharedName, room: part.room,
                    month: part.month.map(CivilMonth.name),
                    rowsOfFile: file[part]?.rows ?? 0, rowsShared: shared[part]?.rows ?? 0))
        }
    }

    /// The tables whose rows go with messages, and those that count messages.
    private static let ofMessages: Set<SchemaTable> = [
        .message, .messageVersion, .reaction, .retraction, .attachment, .file, .content, .room, .senderCount,
    ]

    /// Returns true if rules may have removed rows of that part from the file.
    ///
    /// - Parameter purged: The last month from which they removed messages, by room.
    private static func mayLack(_ part: Part, of table: SchemaTable, _ purged: [Int64: Int64]) -> Bool {
        guard ofMessages.contains(table), let room = part.room, let month = part.month else {
            return ofMessages.contains(table) && !purged.isEmpty
        }
        return purged[room].map { month <= $0 } ?? false
    }

    private static func comesBefore(_ a: Part, _ b: Part) -> Bool {
        (a.room ?? 0, a.month ?? 0) < (b.room ?? 0, b.month ?? 0)
    }

    /// The bytes between a row's values, and in place of NULL. No stored text has them alone.
    private static let (separator, null): (UInt8, UInt8) = (0x01, 0x02)

    private static func sums(_ table: SchemaTable, _ snapshot: MirrorSnapshot) throws -> [Part: Sum] {
        let isMessage = table == .message
        let room = table.sent.firstIndex { $0.name == "room_id" } ?? 0
        var sums: [Part: Sum] = [:]
        var bytes: [UInt8] = []
        try snapshot.forEachRow(of: table) { values in
            bytes.removeAll(keepingCapacity: true)
            for value in values {
                if !bytes.isEmpty { bytes.append(separator) }
                switch value {
                case .integer(let number): bytes += "\(number)".utf8
                case .text(let text): bytes += text.utf8
                case .null: bytes.append(null)
                }
            }
            var part = Part()
            if isMessage, case .integer(let id) = values[0], case .integer(let number) = values[room] {
                part = Part(room: number, month: CivilMonth.of(microseconds: id))
            }
            // The first 60 bits, as SQL takes them.
            let digest = Insecure.MD5.hash(data: bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 4
            sums[part, default: Sum()].rows += 1
            sums[part, default: Sum()].digest += UInt128(digest)
        }
        return sums
    }

    private static func sums(
        _ table: SchemaTable, account: Int64, _ server: PostgreSQLConnection
    ) throws -> [Part: Sum] {
        let columns = table.sent.map { "coalesce(\($0.name)::text, E'\\x02')" }.joined(separator: ", ")
        let part =
            table == .message
            ? """
            room_id, (extract(year FROM day) * 12 + extract(month FROM day) - 1)::bigint
            """
            : "NULL::bigint, NULL::bigint"
        let day =
            table == .message
            ? ", LATERAL (SELECT timestamp 'epoch' + floor(id / 86400000000.0) * interval '1 day' AS day) AS time" : ""
        let found = try server.execute(
            """
            SELECT \(part), count(*),
              coalesce(sum(('x' || substr(md5(concat_ws(E'\\x01', \(columns))), 1, 15))::bit(60)::bigint), 0)::text
            FROM scrollback.\(table.sharedName)\(day) WHERE account_id = $1 GROUP BY 1, 2
            """, [.integer(account)])
        var sums: [Part: Sum] = [:]
        for row in 0..<found.count {
            sums[Part(room: try found.integer(row, 0), month: try found.integer(row, 1))] = Sum(
                rows: try found.integer(row, 2) ?? 0, digest: try found.text(row, 3).flatMap { UInt128($0) } ?? 0)
        }
        return sums
    }
}
