import Archive
import ChatModel
import Files
import Foundation
import SQLQueries
import TestSupport
import Testing
import Writing

@testable import Rendering

/// `docs/sql.md`, compared with the archive and the other formats.
struct SQLDocumentTests {
    private let page: String

    init() throws {
        page = try document("docs/sql.md")
    }

    @Test func `every example has a result`() async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path + "/data")
        for account in ["one", "two"] {
            let writer = try await archive.openWriter(AccountIdentity(name: account, network: "irc"))
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: sampleTime)]).first else { return }
            let room = RoomReference(key: "lobby", name: "lobby", kind: .channel)
            _ = try await writer.append(
                ["coffee", "https://example.org/", "more"].enumerated().map { index, body in
                    .message(
                        IncomingMessage(
                            session: SessionID(rawValue: id), room: room, kind: .message,
                            sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "m\(index)",
                            sourceTime: nil, receivedAt: sampleTime.advanced(byMicroseconds: Int64(index))))
                })
            try await writer.close()
        }
        let statements =
            page.matches(of: /```sql\n([^`]+)```/).map { String($0.1) }
            + page.matches(of: /scrollback sql "([^"]+)"/).map { String($0.1) }
        try #require(statements.count > 10)
        for statement in statements {
            let query = try SQLQuery(
                statement, in: archive.reading(), limit: ReadLimit(), zone: .gmt,
                now: sampleTime.advanced(by: .seconds(3600)))
            var rows = 0
            while try query.next() != nil { rows += 1 }
            // The archive has no answers, reactions or gaps.
            let isEmpty = ["threads", "reaction", "gaps"].contains { statement.contains($0) }
            #expect(rows > 0 || isEmpty, "\(statement)")
        }
    }

    @Test func `the page has every view`() throws {
        let table = try #require(page.components(separatedBy: "\n## Views\n").last?.components(separatedBy: "\n## ")[0])
        for view in SQLView.all { #expect(table.contains("`\(view.name)`"), "\(view.name)") }
    }

    @Test func `the columns of a message match JSON and CSV, except for the documented ones`()
        throws
    {
        let section = try #require(page.components(separatedBy: "\n## The same message in JSON and CSV\n").last)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
            .map { $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(3).map(Self.names) }
        try #require(rows.count > 10)
        let (columns, keys, fields) = (rows.flatMap { $0[0] }, rows.flatMap { $0[1] }, rows.flatMap { $0[2] })
        let object = JSONValue(message("hi"))
        let view = try #require(SQLView.all.first { $0.name == "messages" }).columns.map(\.name)
        let (json, csv) = (object.keys, CSV.header(of: object))
        #expect(Set(columns).isSubset(of: view) && Set(keys).isSubset(of: json) && Set(fields).isSubset(of: csv))
        let same = Set(view).subtracting(columns)
        #expect(same == Set(json).subtracting(keys))
        #expect(same == Set(csv).subtracting(fields))
    }

    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`(\w+)`/).map { String($0.1) }
    }
}

extension JSONValue {
    fileprivate var keys: [String] {
        if case .object(let members) = self { members.map(\.key) } else { [] }
    }
}
