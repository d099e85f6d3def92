import Archive
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Serving

@Suite(.disabled(if: QuickCheck.isRunning))
struct HostilePagesTests {
    private static let parts = [
        "<", ">", "&", "\"", "'", "</div>", "</li>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
        "<!--",
        "-->", "]]>", "&lt;", "&#60;", "\n", "\t", "\u{0}", "\u{1B}[31m", "\u{202E}", "\u{2028}", "\u{301}", "\u{338}",
        "\"\u{301}", "<\u{338}", "http://a.example/\"onmouseover=", "javascript:alert(1)", "\u{3}04,02", "\u{2}",
        "\u{4}",
        " onclick=\"", "'\"`=/", "{{", "${x}", "%00", "%22", "?", "#", "/", "\\", "+", "=", "שלום", "민수", "👨‍👩‍👧",
    ]

    private static func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
        (0..<Int.random(in: 1...count, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            .replacing("\u{0}", with: "")
    }

    @Test(arguments: 0..<8)
    func `no external text becomes a tag or an attribute`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = try PagesFixture()
        let room = RoomReference(key: "r", name: Self.text(&random, upTo: 6), kind: .channel)
        let kinds = MessageKind.allCases
        try await fixture.store { session in
            var events: [ChatEvent] = [.live(session, room: room)]
            for second in 0..<40 {
                let id = "m\(second)"
                events.append(
                    .said(
                        Self.text(&random, upTo: 12), at: Int64(second) * 400, by: Self.text(&random, upTo: 4),
                        in: session,
                        kind: kinds[second % kinds.count], room: room, id: id,
                        replyTo: second.isMultiple(of: 3) ? "m\(second - 1)" : nil,
                        files: second.isMultiple(of: 4) ? ["https://a.example/" + Self.text(&random, upTo: 5)] : []))
                events.append(
                    .reaction(
                        IncomingReaction(
                            session: session, room: room, target: id,
                            sender: UserReference(key: "k\(second)", name: Self.text(&random, upTo: 3)),
                            text: Self.text(&random, upTo: 2),
                            receivedAt: PagesFixture.start.advanced(by: .seconds(Int64(second) * 400 + 1)))))
            }
            return events
        }
        let query = Self.text(&random, upTo: 4).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let id = PagesFixture.start.description
        let addresses = [
            "/", "/?filter=\(query)", "/room/demo/1", "/room/demo/1?around=\(id)&limit=20", "/room/demo/1?fragment=1",
            "/account/demo", "/room/demo/1/calendar", "/message/demo/\(id)", "/search?q=\(query)",
            "/search?q=is:edited%20\(query)",
            "/search?q=on:2026&facets=1", "/search?q=on:2026&context=2", "/search?q=a&account=\(query)",
            "/room/\(query)/1",
            "/room/demo/1?day=\(query)", "/message/demo/\(query)", "/merged?room=\(query)",
        ]
        for page in try await fixture.pages(addresses) {
            let markup = try PageMarkup(page)
            for tag in markup.tags where tag.name == "script" || tag.name == "link" {
                #expect(
                    tag.attributes["src"] ?? tag.attributes["href"] ?? "" == ""
                        || tag.attributes.values.contains { $0.hasPrefix("/assets/") })
            }
            for tag in markup.tags {
                let isOutside = tag.attributes["href"].map { $0.contains("://") } ?? false
                #expect(!isOutside || tag.attributes["rel"] == "noopener noreferrer nofollow")
                #expect(!(tag.attributes["href"]?.hasPrefix("javascript") ?? false))
            }
            let ids = markup.tags.compactMap { $0.attributes["id"] }
            #expect(Set(ids).count == ids.count)
        }
    }
}
