import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Settings

/// A suite with samples of values that have machine formats.
protocol MachineFormatSuite {}

extension MachineFormatSuite {
    func renderer(_ format: OutputFormat) -> HistoryRenderer {
        HistoryRenderer(
            format: format,
            text: TextRenderer(
                time: LocalTime(zone: .gmt), style: .plain, now: sampleTime, options: TextRenderer.Options()),
            nextCommand: NextCommand(subject: ["demo/lobby"], options: ["-n", "1"]))
    }

    var page: Page {
        Page(
            messages: [message("안녕, \"you\"", flags: .maybeCoalesced)], older: MessageID(sampleTime), newer: nil,
            gaps: [gap()])
    }

    var dayPage: Page {
        var page = page
        let day = CivilDay(containing: sampleTime, in: .gmt)
        let earlier = CivilDay(containing: sampleTime.advanced(by: .seconds(-172_800)), in: .gmt)
        (page.older, page.newer, page.day) = (nil, MessageID(sampleTime), Page.Day(day, previous: earlier, next: nil))
        return page
    }

    var thread: MessageThread {
        let id = MessageID(sampleTime)
        let outline = ThreadOutline(
            account: "demo", room: 1, rootState: .missing, root: nil, rootRemoteID: "x\u{1B}", ids: [id], isCut: true)
        return MessageThread(outline: outline, root: nil, page: page)
    }

    var stored: StoredAttachment {
        StoredAttachment(
            account: "work", network: "slp", room: "일반", message: MessageID(sampleTime), sender: "alice",
            attachment: ChatModel.Attachment(path: "/static/%EA%B0%80.png", sha256: "ab", size: 3), attempts: 1,
            triedAt: sampleTime,
            file: "data/ab")
    }

    var result: AccountResult {
        var result = AccountResult("demo", .done, detail: "compressed")
        (result.figures.messages, result.figures.bytes) = (12, 120)
        return result
    }

    func change(_ subject: FeedChange.Subject, _ kind: FeedChange.Kind = .stored) -> FeedChange {
        FeedChange(kind: kind, account: "demo", position: FeedPosition(epoch: "e", seq: 7), subject: subject)
    }

    /// The first column of the table below a heading.
    func documentedKeys(under heading: String, in text: String) throws -> [String] {
        let start = try #require(text.range(of: "\n## \(heading)\n")).upperBound
        let section = text[start...].prefix(upTo: text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex)
        return section.split(separator: "\n").compactMap { $0.wholeMatch(of: /\| `([a-z0-9_]+)` \|.*/)?.1 }.map(
            String.init)
    }

    var status: AccountStatus {
        AccountStatus(
            account: "demo", network: "streamchat", state: .offline, since: nil, lastSignOfLife: nil, lastMessage: nil,
            messages: 0, openGaps: 0, failures: 0, lastError: nil, nextTry: nil)
    }
}
