import Foundation
import Synchronization

@testable import PostgreSQL

extension FuzzTarget {
    /// The answers of a PostgreSQL server, as libpq reads them. Without libpq nothing is read.
    ///
    /// A first byte of 0 sends the other bytes unchanged; others make messages of the protocol of them.
    static let postgreSQL = FuzzTarget("postgresql", limit: 1024) { input in
        guard (try? LibPQ.load()) != nil else { return }
        let bytes = Array(input.dropFirst())
        FuzzedDatabase.shared.answer.withLock { $0 = input.first == 0 ? bytes : PostgreSQLMessages(bytes).bytes }
        guard let connection = try? PostgreSQLConnection(FuzzedDatabase.shared.address, silence: 5) else {
            throw BrokenRule(description: "no connection to the fuzzed server")
        }
        do {
            let rows = try input.first == 1 ? connection.run(script: "SELECT 1") : connection.execute("SELECT $1", [1])
            for row in 0..<min(rows.count, 4) { read(rows, row) }
            _ = rows.changed
        } catch let error as PostgreSQLError {
            try require(!error.detail.contains("\n"), "the error \(error.detail)")
        }
        var vector = SearchVector()
        vector.add(words: bytes.text, isPlain: input.first == 2)
        vector.add(mark: bytes.text)
        _ = (vector.bytes, vector.cut)
    }

    private static func read(_ rows: SQLRows, _ row: Int) {
        for column in 0..<4 as Range<Int32> where !rows.name(column).isEmpty {
            guard !rows.isNull(row, column) else { continue }
            _ = (try? rows.integer(row, column), try? rows.real(row, column), try? rows.text(row, column))
            _ = rows.bytes(row, column).count
        }
    }
}

/// Messages of a server (PostgreSQL's protocol 3.0), with right lengths, made of any bytes.
private struct PostgreSQLMessages {
    private var rest: ArraySlice<UInt8>
    private(set) var bytes: [UInt8] = []
    private var columns = 0

    private static let types: [UInt32] = [16, 20, 21, 23, 25, 701, 19, 1043, 705, 17]
    private static let kinds = Array("TDDDCZENSAI12ntsGWHdcK".utf8)

    init(_ source: [UInt8]) {
        rest = source[...]
        while let byte = rest.popFirst() {
            switch Self.kinds[Int(byte) % Self.kinds.count] {
            case UInt8(ascii: "T"): describeRow()
            case UInt8(ascii: "D"): addRow()
            case UInt8(ascii: "C"): add("C", Array("SELECT \(rest.popFirst() ?? 0)\0".utf8))
            case UInt8(ascii: "Z"): add("Z", [UInt8(ascii: "I")])
            case UInt8(ascii: "E"): add("E", Array("SERROR\0C".utf8) + take() + Array("\0M".utf8) + take() + [0, 0])
            case let kind: add(Character(Unicode.Scalar(kind)), take())
            }
        }
        add("C", Array("SELECT 1\0".utf8))
        add("Z", [UInt8(ascii: "I")])
    }

    private mutating func add(_ kind: Character, _ payload: [UInt8]) {
        bytes += (kind.asciiValue.map { [$0] } ?? []) + SQLValue.bigEndian(Int32(payload.count + 4)) + payload
    }

    /// Takes up to 15 bytes, whose number comes first.
    private mutating func take() -> [UInt8] {
        let count = Int((rest.popFirst() ?? 0) & 15)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private mutating func describeRow() {
        columns = Int((rest.popFirst() ?? 0) & 3)
        var payload = SQLValue.bigEndian(Int16(columns))
        for column in 0..<columns {
            let type = Self.types[Int(rest.popFirst() ?? 0) % Self.types.count]
            payload += Array("c\(column)\0".utf8) + SQLValue.bigEndian(Int32(0)) + SQLValue.bigEndian(Int16(0))
            payload += SQLValue.bigEndian(type) + SQLValue.bigEndian(Int16(-1)) + SQLValue.bigEndian(Int32(-1))
            payload += SQLValue.bigEndian(Int16(1))
        }
        add("T", payload)
    }

    private mutating func addRow() {
        var payload = SQLValue.bigEndian(Int16(columns))
        for _ in 0..<columns {
            if rest.first == 0xFF {
                payload += SQLValue.bigEndian(Int32(-1))
                rest = rest.dropFirst()
            } else {
                let value = take()
                payload += SQLValue.bigEndian(Int32(value.count)) + value
            }
        }
        add("D", payload)
    }
}

/// A server that accepts every login and answers the first statement with given bytes.
private final class FuzzedDatabase: Sendable {
    static let shared = FuzzedDatabase()

    let answer = Mutex<[UInt8]>([])
    /// The address, in the abstract namespace, so that nothing is left on disk. Libpq has it since version 14.
    let address: String
    private let listener: Int32

    private init() {
        let name = "scrollback-fuzz-\(getpid())"
        address = "host=@\(name) port=5432 user=a dbname=a sslmode=disable gssencmode=disable"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var socket = sockaddr_un()
        socket.sun_family = sa_family_t(AF_UNIX)
        let path = [0] + Array("\(name)/.s.PGSQL.5432".utf8)
        withUnsafeMutableBytes(of: &socket.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let isBound = withUnsafePointer(to: &socket) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
        }
        guard isBound, listen(listener, 16) == 0 else { return }
        Thread.detachNewThread { [self] in
            while true { serve(accept(listener, nil, nil)) }
        }
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        // The login, which libpq sends at once.
        guard recv(client, &bytes, bytes.count, 0) > 0 else { return }
        let ready = Array("R\0\0\0\u{8}\0\0\0\0S\0\0\0\u{19}client_encoding\0UTF8\0Z\0\0\0\u{5}I".utf8)
        send(client, ready, ready.count, Int32(MSG_NOSIGNAL))
        guard recv(client, &bytes, bytes.count, 0) > 0 else { return }
        let answer = answer.withLock(\.self)
        send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
