import Archive
import ChatModel
import Foundation
import Reading
import Rendering
import SearchText
import TestSupport
import Testing
import Writing

@testable import Operations

struct SearchRunTests {
    @Test func `when its time is over, a page says how far it came, and a count is an error`() async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        _ = try await writer.importLines(
            (0..<3).map { number in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "v\(number)",
                        time: sampleTime.advanced(by: .seconds(number)), resolution: .microsecond, place: nil,
                        remoteID: nil, receivedAt: nil))
            }, at: sampleTime.advanced(by: .seconds(60)))
        try await writer.close()
        let reading = try archive.reading(.accounts(["demo"]))
        func run(_ seconds: Int) throws -> SearchRun {
            SearchRun(
                reading: reading, search: SearchScope(query: SearchQuery()),
                expression: try RegularExpression(#"v\d"#), report: RegexReport(seconds: seconds))
        }
        let scope = MessageQuery.Scope.accounts(["demo"])
        let (page, notes) = try run(0).page(MessageQuery(scope: scope))
        #expect(page.messages.map(\.body) == ["v2"] && page.older == page.messages[0].id)
        #expect(notes == "stopped after 0 s and 1 message, at \(page.messages[0].id); raise the limit with --timeout\n")
        let error = #expect(throws: OperationError.self) { try run(0).counts(scope, by: .all) }
        #expect(error?.code == .stopped && error?.detail.hasSuffix(": 1 found so far") == true)
        #expect(try run(60).counts(scope, by: .all).counts.map(\.count) == [3])
        let request = SearchRun(
            reading: reading, search: SearchScope(query: SearchQuery()), expression: try RegularExpression(#"v\d"#),
            report: .ofRequest(seconds: 0))
        let refusal = #expect(throws: OperationError.self) { try request.counts(scope, by: .all) }
        #expect(refusal?.hint == "add a word, a person, a room or a time")
    }

    @Test(arguments: [nil, "[02468]$"])
    func `a part that too many words have is looked for message by message`(expression: String?) async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        _ = try await writer.importLines(
            (0..<600).map { number in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: number % 3 == 0 ? "alice" : "bob",
                        body: number % 2 == 0 ? "apart\(number)" : "other \(number)",
                        time: sampleTime.advanced(by: .seconds(number)), resolution: .microsecond, place: nil,
                        remoteID: nil, receivedAt: nil))
            }, at: sampleTime.advanced(by: .seconds(6000)))
        try await writer.close()
        let run = { (text: String) in
            SearchRun(
                reading: try archive.reading(.accounts(["demo"])),
                search: SearchScope(query: SearchQuery(parsing: text)),
                expression: try expression.map(RegularExpression.init), report: RegexReport(seconds: 600))
        }
        let query = try MessageQuery(scope: .accounts(["demo"]), anchor: .latest, limit: 2)
        for (text, first, count) in [
            ("*PART*", ["apart596", "apart598"], 300), ("*part* from:alice", ["apart588", "apart594"], 100),
            (
                "other OR *part*", expression == nil ? ["apart598", "other 599"] : ["apart596", "apart598"],
                expression == nil ? 600 : 300
            ),
            ("other -*part*", ["other 597", "other 599"], expression == nil ? 300 : 0),
        ] {
            let (page, notes) = try run(text).page(query)
            #expect(page.messages.map(\.body) == (count == 0 ? [] : first) && notes.isEmpty, "\(text)")
            #expect(try run(text).counts(query.scope, by: .all).counts.map(\.count) == [Int64(count)], "\(text)")
            var all: [String?] = []
            _ = try run(text).pages(query) { all += $0.messages.map(\.body) }
            #expect(all.count == count && Set(all).count == count, "\(text)")
        }
    }

    @Test(arguments: [true, false])
    func `rare hits of a part that many words have are found, also without a vocabulary`(hasVocabulary: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        _ = try await writer.importLines(
            (0..<2500).map { number in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice",
                        body: number < 300 ? "apart\(number)" : "other \(number % 10)",
                        time: sampleTime.advanced(by: .seconds(number)), resolution: .microsecond, place: nil,
                        remoteID: nil, receivedAt: nil))
            }, at: sampleTime.advanced(by: .seconds(6000)))
        try await writer.close()
        if !hasVocabulary {
            let file = try #require(
                FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix("1.sqlite") })
            try SQLiteFixture(folder.path + "/" + file).execute("UPDATE vocabulary_state SET analyser = 0")
        }
        let run = SearchRun(
            reading: try archive.reading(.accounts(["demo"])),
            search: SearchScope(query: SearchQuery(parsing: "*part*")),
            expression: nil, report: RegexReport(seconds: 600))
        let query = try MessageQuery(scope: .accounts(["demo"]), anchor: .latest, limit: 2)
        let (page, notes) = try run.page(query)
        #expect(page.messages.map(\.body) == ["apart298", "apart299"] && notes.isEmpty)
        #expect(try run.counts(query.scope, by: .all).counts.map(\.count) == [300])
    }

    @Test func `hits of a part that too many words have are not ranked`() async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        _ = try await writer.importLines(
            (0..<300).map { number in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "apart\(number)",
                        time: sampleTime.advanced(by: .seconds(number)), resolution: .microsecond, place: nil,
                        remoteID: nil, receivedAt: nil))
            }, at: sampleTime.advanced(by: .seconds(6000)))
        try await writer.close()
        let reading = try archive.reading(.accounts(["demo"]))
        var operation = SearchOperation(text: "*part*", selection: RoomSelection(room: nil, accounts: []))
        operation.order = .relevance
        let run = SearchRun(
            reading: reading, search: SearchScope(query: operation.query), expression: nil,
            report: RegexReport(seconds: 600))
        let error = #expect(throws: UsageError.self) {
            try operation.page(run, MessageQuery(scope: .accounts(["demo"])))
        }
        #expect(error?.message.contains("add letters between the stars") == true)
    }
}
