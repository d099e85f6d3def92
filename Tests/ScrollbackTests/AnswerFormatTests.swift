import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Scrollback
@testable import Settings

/// The machine formats of commands that maintain, configure and export.
struct AnswerFormatTests {
    private var merge: ListedMerge {
        ListedMerge(
            Merge(
                kind: .people, from: 7, into: 3, fromName: "alice_", intoName: "alice", at: sampleTime, isDone: true,
                canBeUndone: true))
    }

    private var token: AccessToken {
        AccessToken(
            name: "phone", sha256: "", accounts: ["libera"], rooms: [], mayWrite: false, expiresAt: nil,
            createdAt: sampleTime)
    }

    private func expect<Element>(
        _ listing: Listing<Element>, _ element: Element, under heading: String, in text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let keys = listing.json(element).members.map(\.key)
        #expect(listing.keys == keys, sourceLocation: sourceLocation)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") }, sourceLocation: sourceLocation
        )
        let documented = section.matches(of: /\n\| `([a-z_]+)` \|/).map { String($0.1) }
        #expect(documented == keys, "\(heading)", sourceLocation: sourceLocation)
        let table = text.components(separatedBy: "\n## ").first { $0.hasPrefix("A list\n") }
        #expect(table?.contains("| `\(listing.name)` |") == true, "\(listing.name)", sourceLocation: sourceLocation)
    }

    @Test func `each listing has the documented keys in their order`() throws {
        let text = try document("docs/json.md")
        try expect(ListedMerge.listing(of: "demo"), merge, under: "A merge", in: text)
        let bridge = Bridge(bot: 4, name: "relay", pattern: try BridgePattern("<{nick}> {text}"), at: sampleTime)
        try expect(Bridge.listing(of: "demo"), bridge, under: "A bridge", in: text)
        try expect(
            ConfigurationRemark.listing(on: "x.toml", of: 1, data: "data"),
            ConfigurationRemark(isMistake: true, line: 8, text: ""),
            under: "A remark on a configuration", in: text)
        try expect(
            EffectiveConfiguration.Setting.listing,
            EffectiveConfiguration.Setting(
                table: nil, account: nil, key: "data", value: .string("x"), isDefault: true),
            under: "A setting", in: text)
        try expect(
            AccountReplica.listing, AccountReplica(account: "demo", state: .missing),
            under: "A copy in a shared archive", in: text)
        try expect(AccessToken.listing(), token, under: "A token", in: text)
        let exports = ExportedAccount.listing
        let rows = exports.keys.map { "| `\($0)` | " }
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("An export\n") }
        #expect(rows.allSatisfy { section?.contains($0) == true })
    }

    @Test func `only the answer to a new token contains it`() {
        let listing = AccessToken.listing(secret: "abc")
        #expect(listing.keys == listing.json(token).members.map(\.key))
        #expect(listing.render([token], format: .json).contains("\"token\": \"abc\""))
        #expect(!AccessToken.listing().render([token], format: .json).contains("\"token\":"))
    }

    @Test func `a bridge has the documented keys`() throws {
        let bridge = Bridge(
            bot: 7, name: "relay", pattern: try BridgePattern("<{nick}> {text}"), at: sampleTime, state: .undoing)
        try expect(Bridge.listing(of: "demo"), bridge, under: "A bridge", in: document("docs/json.md"))
        #expect(
            BridgeText.line(bridge, zone: .gmt).hasSuffix(
                "made 2026-11-21; not undone yet, repeat the command with --undo"))
    }

    @Test func `two people who are both the owner are a possible merge`() {
        let users = [("alice_", Int64(2)), ("alice", 7)].map { name, id in
            let shown = User.Name(name: name, firstSeen: Timestamp(microseconds: 1), lastSeen: nil)
            return User(account: "demo", id: id, names: [shown], isSelf: true, membership: nil)
        }
        let merges = ListedMerge.all(own: users)
        #expect(merges.map(\.from.name) == ["alice_"] && merges.map(\.into.id) == [7])
        #expect(ListedMerge.all(own: []).isEmpty && ListedMerge.all(own: [users[0]]).isEmpty)
    }

    @Test func `two people with one name are a possible merge`() {
        let merges = ListedMerge.all(Namesakes(kind: .people, name: "a[", ids: [1, 2, 3]))
        #expect(merges.map(\.from.id) == [1, 2] && merges.allSatisfy { $0.into.id == 3 && $0.state == .possible })
        #expect(ListedMerge.all(Namesakes(kind: .rooms, name: "a", ids: [])).isEmpty)
    }

    @Test func `a configuration with only warnings is valid`() {
        func totals(_ isMistake: Bool) -> String {
            ConfigurationRemark.listing(on: "x.toml", of: isMistake ? nil : 1, data: nil)
                .render([ConfigurationRemark(isMistake: isMistake, line: nil, text: "x")], format: .json)
        }
        #expect(totals(false).contains(#""totals": {"configuration": "x.toml", "valid": true, "accounts": 1, "#))
        #expect(totals(true).contains(#""valid": false, "accounts": null, "data": null}"#))
    }
}
