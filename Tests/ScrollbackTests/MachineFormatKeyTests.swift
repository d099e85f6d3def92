import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Settings

/// The keys of the machine formats, which `docs/json.md` documents.
struct MachineFormatKeyTests: MachineFormatSuite {
    @Test func `the csv header has the columns of the rows`() {
        #expect(HistoryRenderer.csvHeader == CSV.header(of: JSONValue(message("x"))))
        #expect(HistoryRenderer.csvHeader == CSV.header(of: JSONValue(message("x", sender: nil))))
        #expect(Room.listing(time: LocalTime(zone: .gmt)).keys == CSV.header(of: JSONValue(room("x"))))
        #expect(
            Gap.listing(time: LocalTime(zone: .gmt), now: sampleTime).keys == CSV.header(of: JSONValue(gap())))
        #expect(
            AccountStatus.listing(time: LocalTime(zone: .gmt), now: sampleTime).keys
                == CSV.header(of: JSONValue(status)))
        #expect(UnreadRoom.listing(time: LocalTime(zone: .gmt)).keys == CSV.header(of: JSONValue(unread(2))))
    }

    @Test func `the service's count follows ours, with the difference`() throws {
        let listing = ComparedUnread.listing(time: LocalTime(zone: .gmt))
        func compared(_ answer: UnreadAnswer?) -> ComparedUnread { ComparedUnread(room: unread(2), answer: answer) }
        let added = try documentedKeys(under: "What is unread, and the service's count", in: document("docs/json.md"))
        for answer in [nil, UnreadAnswer(room: 1, count: 3), UnreadAnswer(room: 1, error: "x")] {
            #expect(listing.keys == CSV.header(of: JSONValue(compared(answer))))
            #expect(listing.keys == CSV.header(of: JSONValue(unread(2))) + added)
        }
        let shown = [2, 5, 0].map { compared(UnreadAnswer(room: 1, count: $0)).shown }
        #expect(shown == ["2", "5 (+3)", "0 (-2)"])
        #expect(compared(nil).shown == "-" && compared(UnreadAnswer(room: 1, error: "no")).shown == "?")
        let errors = ComparedUnread.errors((0..<5).map { _ in compared(UnreadAnswer(room: 1, error: "no")) })
        #expect(errors == ["demo/lobby, demo/lobby, demo/lobby and 2 more: no"])
    }

    @Test func `the csv header has the columns of accounts`() {
        #expect(
            AccountSummary.listing(time: LocalTime(zone: .gmt)).keys
                == CSV.header(of: JSONValue(sampleAccount)))
    }

    @Test func `the csv header has the columns of users, in a room and outside`() {
        let listing = User.listing(time: LocalTime(zone: .gmt), showsAccounts: true, showsRoom: false)
        #expect(listing.keys == CSV.header(of: JSONValue(user("alice"))))
        let member = User.Membership(room: "lobby", joinedAt: nil, leftAt: nil)
        #expect(listing.keys == CSV.header(of: JSONValue(user("alice", membership: member))))
    }

    @Test func `the csv header has the columns of checks`() {
        #expect(AccountCheck.listing.keys == CSV.header(of: JSONValue(sampleCheck)))
        #expect(AccountResult.listing.keys == CSV.header(of: JSONValue(result)))
    }

    @Test func `the key of each command's list is the documented one`() throws {
        let text = try document("docs/json.md")
        let time = LocalTime(zone: .gmt)
        let names: [(String, String)] = [
            ("accounts", AccountSummary.listing(time: time).name),
            ("archive check", AccountCheck.listing.name),
            ("archive compress", AccountResult.listing.name),
            ("attachments", StoredAttachment.listing(time: time).name),
            ("gaps", Gap.listing(time: time, now: sampleTime).name),
            ("rooms", Room.listing(time: time).name),
            ("search --count", HitCount.listing(by: "", of: "HITS", chart: nil).name),
            ("status", AccountStatus.listing(time: time, now: sampleTime).name),
            ("unread", UnreadRoom.listing(time: time).name),
            ("users", User.listing(time: time, showsAccounts: true, showsRoom: false).name),
        ]
        for (command, key) in names {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(command)`") && $0.contains("](#") }
            #expect(row?.contains("| `\(key)` |") == true, "\(command)")
        }
    }

    @Test func `every format has the documented keys in their order`() throws {
        let text = try document("docs/json.md")
        let expected: [(String, JSONValue)] = [
            ("A page", JSONValue(page)), ("A message", JSONValue(page.messages[0])), ("A gap", JSONValue(gap())),
            ("A room", JSONValue(room("x"))), ("An account's status", JSONValue(status)),
            ("An account", JSONValue(sampleAccount)), ("A user", JSONValue(user("alice"))),
            ("A count of hits", JSONValue(HitCount(account: "demo", name: "lobby", count: 12))),
            ("What is unread in a room", JSONValue(unread(2))),
            ("A change", JSONValue(change(.message(page.messages[0].id, page.messages[0])))),
            ("A removal", Purge.listing(time: LocalTime(zone: .gmt), isPlan: false).json(samplePurge)),
            ("A hold", AccountHold.listing(time: LocalTime(zone: .gmt)).json(sampleHold)),
            ("A check", JSONValue(sampleCheck)), ("A result", JSONValue(result)),
        ]
        for (heading, value) in expected {
            guard case .object(let members) = value else { continue }
            #expect(try documentedKeys(under: heading, in: text) == members.map(\.key), "\(heading)")
        }
        let dayKeys = JSONValue(dayPage).members.last?.value.members.map(\.key)
        #expect(try documentedKeys(under: "A day of a page", in: text) == dayKeys)
        guard case .object(let whole) = JSONValue(sampleDetail) else { return }
        let messageKeys = try documentedKeys(under: "A message", in: text)
        let parts = try documentedKeys(under: "One message whole", in: text)
        #expect(messageKeys + parts == whole.map(\.key) + coverageKeys)
        let group = HitGroup(messages: page.messages, hits: [], gaps: [])
        let hitKeys = page.messages[0].json(in: group, number: 1, ranges: { _ in [] }).members.map(\.key)
        #expect(try messageKeys + documentedKeys(under: "A message among hits", in: text) == hitKeys)
        #expect(text.contains(HistoryRenderer.csvHeader.joined(separator: ",")))
        for absence in MessageDetail.Raw.Absence.allCases { #expect(text.contains("`\(absence.rawValue)`")) }
        for kind in FeedChange.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
        for state in AccountCheck.State.allCases { #expect(text.contains("`\(state.rawValue)`")) }
        for kind in MessageKind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
        for reason in EndReason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
        for flag in MessageFlags(rawValue: -1).names { #expect(text.contains("`\(flag)`")) }
    }

    private var coverageKeys: [String] {
        guard case .object(let members) = JSONValue(sampleDetail.coverage) else { return [] }
        return members.map(\.key)
    }
}

private let samplePurge = Purge(
    account: "demo", room: "lobby", part: .messages,
    rule: RetentionRule(text: "max_age = \"90d\"", age: .seconds(7_776_000)),
    first: sampleTime, last: sampleTime, count: 1, at: sampleTime)
private let sampleHold = AccountHold(account: "demo", room: nil, hold: Hold(name: "case", setAt: sampleTime))
