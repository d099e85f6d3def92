import ChatModel
import Foundation
import Testing

@testable import Rendering

struct MessageDetailTextTests {
    private func text(_ detail: MessageDetail) -> String {
        MessageDetailText(time: LocalTime(zone: .gmt), style: .plain, now: sampleTime).text(detail)
    }

    @Test func `a message is shown line by line`() {
        #expect(
            text(sampleDetail) == """
                message      2026-11-21T06:23:11.123456Z
                room         demo/lobby
                network      streamchat
                kind         message
                sender       alice, user 7
                text         hi
                time         2026-11-21 06:23:11.123456
                claimed      the network gave no other time
                received     2026-11-21 06:23:11.123456
                raw          10 bytes: alice::hi\\u{0}
                session      3, from 2026-11-21 06:23:10, last active 2026-11-21 06:23:11
                coverage     complete from 2026-11-21 06:23:10 to now
                before that  not archived

                """)
    }

    @Test func `times of edit and deletion are shown`() {
        var detail = sampleDetail
        #expect(!text(detail).contains("edited"))
        detail.message.editedAt = sampleTime.advanced(by: .seconds(60))
        detail.message.deletedAt = sampleTime.advanced(by: .seconds(120))
        #expect(text(detail).contains(/edited +2026-11-21 06:24:11\.123456/))
        #expect(text(detail).contains(/deleted +2026-11-21 06:25:11\.123456/))
        detail.retraction = MessageDetail.Retraction(by: "bob\u{7}", reason: "no \u{1B}[1m")
        #expect(text(detail).contains("06:25:11.123456, by bob\\u{7}: no \\u{1B}[1m"))
    }

    @Test func `differences are shown: names, times, versions, flags, gaps`() {
        var detail = sampleDetail
        detail.roomNow = "hall"
        detail.senderNow = "ally"
        detail.message.receivedAt = sampleTime.advanced(byMicroseconds: -12)
        detail.message.sourceTime = sampleTime.advanced(by: .seconds(-7200))
        detail.message.flags = [.invalidUTF8, .maybeCoalesced]
        detail.message.remoteID = "3:17"
        detail.versions.append(MessageDetail.Version(at: sampleTime.advanced(by: .seconds(60)), body: "hi\nyou"))
        detail.raw = .bytes([0x61, 0xFF, 0x0A, 0xED, 0x95], length: 70_000)
        detail.session?.endedAt = sampleTime
        detail.session?.reason = "closed"
        detail.session?.detail = "bye"
        detail.coverage.place = .covered(
            from: sampleTime, to: sampleTime, gapBefore: gap(), gapAfter: gap(to: nil, state: .current))
        #expect(
            text(detail) == #"""
                message      2026-11-21T06:23:11.123456Z
                room         demo/lobby, now called hall
                network      streamchat
                kind         message
                sender       alice, user 7, now called ally
                remote id    3:17
                version 1    2026-11-21 06:23:11.123456
                             hi
                version 2    2026-11-21 06:24:11.123456
                             hi
                             you
                flag         invalid_utf8: invalid UTF-8 was replaced by U+FFFD
                flag         maybe_coalesced: possibly several messages that arrived together
                time         2026-11-21 06:23:11.123456
                claimed      2026-11-21 04:23:11.123456
                received     2026-11-21 06:23:11.123444, 12 µs before that
                raw          70000 bytes, the first 5: a\xFF\u{A}\xED\x95
                session      3, from 2026-11-21 06:23:10, ended 2026-11-21 06:23:11: the server closed the connection (bye)
                coverage     complete from 2026-11-21 06:23:11 to 2026-11-21 06:23:11
                before that  gap 2026-11-21 06:23:11 to 06:25:40 (2 min): the server closed the connection; nothing can fill it
                after that   nothing received since 2026-11-21 06:23:11 (under 1 s): the server closed the connection

                """#)
    }

    @Test func `missing parts are shown as missing`() {
        var detail = sampleDetail
        detail.message.sender = nil
        detail.senderNow = nil
        detail.versions[0].body = nil
        detail.raw = .missing(.gone)
        detail.session = nil
        detail.coverage = MessageDetail.Coverage(place: .notArchived, archivedSince: nil)
        let text = text(detail)
        #expect(text.contains("sender    none (sent by the server)\n"))
        #expect(text.contains("text      none\n"))
        #expect(text.contains("raw       no longer in the journal\n"))
        #expect(text.contains("session   none (imported)\n"))
        #expect(text.contains("coverage  unknown (imported log)\n"))
    }

    @Test func `hostile text is escaped`() {
        var detail = sampleDetail
        detail.versions[0].body = "a\u{1B}[2J"
        detail.message.sender?.name = "\u{202E}eve"
        detail.message.remoteID = "\u{7}"
        detail.raw = .bytes(Array("\u{1B}]0;x\u{7}".utf8), length: 6)
        detail.session?.detail = "\u{9B}x"
        let hostile = text(detail).unicodeScalars.filter { Sanitizer.isHostile($0) && $0 != "\n" }
        #expect(hostile.isEmpty)
    }

    @Test(
        arguments: [
            (Array("한글 a".utf8), "한글 a"), ([0xED, 0x95], "\\xED\\x95"), ([0xC3, 0x28], "\\xC3("), ([], ""),
            ([0xFF, 0x00, 0x0D], "\\xFF\\u{0}\\u{D}"), (Array("\u{202E}".utf8), "\\u{202E}"),
            ([0xF0, 0x9F, 0x91, 0x8B, 0xF0], "👋\\xF0"),
        ] as [([UInt8], String)])
    func `raw bytes are shown as UTF-8, or as hexadecimal where invalid`(
        bytes: [UInt8], text: String
    ) {
        #expect(RawText.shown(bytes) == text)
    }

    @Test func `raw bytes with invalid UTF-8 have no text in JSON`() {
        #expect(
            JSONValue(MessageDetail.Raw.bytes([0x61, 0xFF], length: 2)).text
                == #"{"bytes": 2, "text": null, "base64": "Yf8="}"#)
        #expect(JSONValue(MessageDetail.Raw.missing(.gone)) == .null)
    }
}
