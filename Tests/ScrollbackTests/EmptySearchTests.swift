import Archive
import ChatModel
import Reading
import SearchText
import TestSupport
import Testing
import Writing

@testable import Operations

struct EmptySearchTests {
    @Test(arguments: ["me", "ME", "ＭＥ", "mé"])
    func `from:me in any spelling asks for the owner's name`(name: String) async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let writer = try await archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        _ = try await writer.importLines(
            [
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "hi", time: sampleTime,
                        resolution: .microsecond, place: nil, remoteID: nil, receivedAt: nil))
            ], at: sampleTime.advanced(by: .seconds(60)))
        try await writer.close()
        let scope = MessageQuery.Scope.accounts(["demo"])
        let reasons = try EmptySearch(
            reading: archive.reading(.accounts(["demo"])), query: MessageQuery(scope: scope),
            search: SearchScope(query: SearchQuery(parsing: "from:\(name)")), hasExpression: false, gaps: []
        ).reasons(limit: 3)
        #expect(reasons.first?.contains("archive me demo NAME") == true, "\(reasons)")
    }
}
