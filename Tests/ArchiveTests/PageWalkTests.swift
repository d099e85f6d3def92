import Archive
import ChatModel
import TestSupport
import Testing

@testable import Reading
@testable import Writing

@Suite struct PageWalkTests {
    private func archive(_ accounts: [String]) async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        for name in accounts {
            let writer = try await fixture.openWriter(name)
            for part in 0..<3 {
                let start = ArchiveFixture.day.advanced(byMicroseconds: Int64(part) * 100_000_000)
                let session = try await writer.openSession(at: start)
                _ = try await writer.append(
                    (0..<20).map { number in
                        .said(
                            "\(name) \(part) \(number)", at: Int64(part) * 100_000_000 + Int64(number / 3) * 1000 + 1,
                            in: session)
                    })
                let end = start.advanced(byMicroseconds: 50_000_000)
                _ = try await writer.append([.sessionEnded(session: session, at: end, reason: .closed, detail: nil)])
            }
            try await writer.close()
        }
        return fixture
    }

    private func walked(
        _ query: MessageQuery, _ fixture: ArchiveFixture
    ) async throws -> (messages: [Message], gaps: [Gap], pages: Int) {
        let reading = fixture.archive.reading()
        var walk = PageWalk(query)
        var all: (messages: [Message], gaps: [Gap], pages: Int) = ([], [], 0)
        while let page = try walk.next({ try reading.page($0) }) {
            let isBackward = query.anchor == .latest
            all.messages = isBackward ? page.messages + all.messages : all.messages + page.messages
            all.gaps += page.gaps
            all.pages += 1
        }
        return all
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 7, 1000], [1, 3])
    func `all pages together have every message and every gap once, in order`(limit: Int, accounts: Int) async throws {
        let names = (0..<accounts).map { "account\($0)" }
        let fixture = try await archive(names)
        let room: Int64? = accounts == 1 ? 1 : nil
        let whole = try fixture.archive.reading().page(
            fixture.query(.oldest, limit: 1000, room: room, accounts: names))
        #expect(whole.messages.count == 60 * accounts && whole.gaps.count == 3 * accounts)
        let anchors: [MessageQuery.Anchor] = [.oldest, .latest, .after(MessageID(microseconds: .min))]
        for anchor in anchors {
            let base = try fixture.query(anchor, limit: limit, room: room, accounts: names)
            for start in [anchor, anchor.fromOldest ?? .around(MessageID(microseconds: 0))] {
                let all = try await walked(base.with(anchor: start), fixture)
                #expect(all.messages == whole.messages)
                #expect(all.gaps.sorted { ($0.from, $0.account) < ($1.from, $1.account) } == whole.gaps)
                #expect(limit == 1000 || all.pages > 1)
            }
        }
    }

    @Test(arguments: [1, 7])
    func `all pages between two ends equal one large page`(limit: Int) async throws {
        let fixture = try await archive(["account0"])
        let (start, end) = (
            MessageID(ArchiveFixture.day.advanced(byMicroseconds: 3000)),
            MessageID(ArchiveFixture.day.advanced(byMicroseconds: 200_004_000))
        )
        let bounds: [(MessageQuery.Anchor, MessageQuery.Anchor)] = [
            (.between(start, end), .between(start, end)), (.between(end, start), .between(start, end)),
            (.before(end), .between(MessageID(microseconds: .min), end)), (.after(start), .after(start)),
        ]
        for (given, expected) in bounds {
            let whole = try fixture.archive.reading().page(
                fixture.query(expected, limit: 1000, accounts: ["account0"]))
            let all = try await walked(
                fixture.query(given.fromOldest ?? .latest, limit: limit, accounts: ["account0"]), fixture)
            #expect(all.messages == whole.messages && !all.messages.isEmpty)
            #expect(all.gaps == whole.gaps)
        }
        #expect(MessageQuery.Anchor.around(start).fromOldest == nil)
    }
}
