import Archive
import ChatModel
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
}
