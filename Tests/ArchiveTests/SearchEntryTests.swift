import ChatModel
import Testing

@testable import Records

struct SearchEntryTests {
    @Test(arguments: [0, 7, 10, 99, 1_234_567_890, .max, -1, .min] as [Int64])
    func `facets have every property of a message`(number: Int64) {
        var entry = SearchEntry(id: 1, room: number, sender: nil, kind: .message, body: nil)
        #expect(entry.facets == "all r\(number)")
        (entry.sender, entry.kind, entry.body) = (number, .invite, "http://x")
        entry.marks = [.edited, .deleted, .file]
        #expect(entry.facets == "all r\(number) kinvite u\(number) hlink hfile xedited xdeleted")
        entry.marks.formUnion([.image, .video, .audio, .reaction, .reply, .pinned])
        #expect(
            entry.facets.hasSuffix("hlink hfile himage hvideo haudio hreaction xedited xdeleted xreply xpinned"))
    }

    @Test(
        arguments: [
            ([], []), (["a.png"], [.file, .image]), (["https://x/사진.JPG?size=2#top"], [.file, .image]),
            (["a.mp4", "b.opus"], [.file, .video, .audio]), (["mxc://example.org/abc", "x.pdf", ""], [.file]),
            (["a.png\nb.txt"], [.file, .image]), (["a.png\r", "\u{301}b"], [.file]),
        ] as [([String], SearchMarks)])
    func `files are marked with their kinds, one by one and together`(paths: [String], marks: SearchMarks) {
        #expect(SearchMarks.files(at: paths) == marks)
        #expect(SearchMarks.files(joined: paths.isEmpty ? nil : paths.joined(separator: "\n")) == marks)
        #expect(paths.reduce(into: SearchMarks()) { $0.formUnion(SearchMarks.files(at: [$1])) } == marks)
    }

    @Test func `a text has a link where an expression finds one, whatever surrounds it`() {
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
