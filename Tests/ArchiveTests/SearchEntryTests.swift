import ChatModel
import Testing

@testable import Archive

struct SearchEntryTests {
    @Test(arguments: [0, 7, 10, 99, 1_234_567_890, .max, -1, .min] as [Int64])
    func `facets have every property of a message`(number: Int64) {
        var entry = SearchEntry(id: 1, room: number, sender: nil, kind: .message, body: nil)
        #expect(entry.facets == "all r\(number)")
        (entry.sender, entry.kind, entry.body) = (number, .invite, "http://x")
        (entry.isEdited, entry.isDeleted, entry.hasFile) = (true, true, true)
        #expect(entry.facets == "all r\(number) kinvite u\(number) hlink hfile xedited xdeleted")
    }

    @Test func `a text has a link where an expression finds one, whatever stands around and within it`() {
        let pieces =
            (0..<128).map { String(Unicode.Scalar(UInt8($0))) } + ["\r\n", "\u{301}", "ſ", "é", "민수", "\u{FE0F}"]
        for piece in pieces {
            for text in [
                "http://\(piece)", "http://\(piece)x", "HTTPS://\(piece)", "\(piece)http://x", "\(piece)ttp://x",
                "http\(piece)://x", "http:\(piece)//x", "http:/\(piece)/x", "http:/\(piece)x", "x\(piece)://y http://z",
                "a/b \(piece) http:/", "안녕 http://\(piece)",
            ] {
                let hasLink = text.firstMatch(of: /https?:\/\/[^\s]/.ignoresCase()) != nil
                let entry = SearchEntry(id: 1, room: 1, sender: 1, kind: .message, body: text)
                #expect(entry.facets == (hasLink ? "all r1 u1 hlink" : "all r1 u1"), "\(text.debugDescription)")
            }
        }
    }
}
