import Foundation
import Testing

@testable import Exporting

struct CopyNameTests {
    private static let hash = String(repeating: "0123456789abcdef", count: 4)

    private func path(_ name: String, _ type: PictureType? = nil) -> String {
        CopyName.path(sha256: Self.hash, name: name, type: type)
    }

    @Test(arguments: [
        ("a.png", "a", "png"), ("사진 1.JPG", "사진 1", "jpg"), ("v1.2 report.pdf", "v1_2 report", "pdf"),
        ("../../x.mp4", "______x", "mp4"), (".png", "file", "png"), ("CON.zip", "CON", "zip"), ("", "file", "bin"),
        ("a<b>\"c.txt", "a_b__c", "txt"),
    ])
    func `a copy has its file's name, a part of its hash and its extension`(
        name: String, stem: String, ending: String
    ) {
        #expect(path(name) == "files/\(stem)-0123456789abcdef.\(ending)")
    }

    @Test(arguments: [
        "evil.html", "evil.svg", "evil.xhtml", "evil.mht", "evil.png.htm", "evil.exe", "evil.xml", "evil.lnk", "con.js",
        "evil.SVG", "evil.html ", "evil.html.", "evil.ht\u{200B}ml", "evil.html\u{0}.png.html",
    ])
    func `an executable extension is not kept`(name: String) {
        let path = path(name)
        #expect(path.hasSuffix("-0123456789abcdef.bin"), "\(path)")
        #expect(path.utf8.count { $0 == UInt8(ascii: ".") } == 1)
    }

    @Test func `a picture without an extension gets one by content, and other files keep theirs`() {
        #expect(path("AbCdEf", .jpeg) == "files/AbCdEf-0123456789abcdef.jpg")
        #expect(path("evil.html", .png) == "files/evil_html-0123456789abcdef.png")
        #expect(path("a.pdf", .png) == "files/a-0123456789abcdef.pdf")
    }

    @Test func `a long name is cut, and keeps its hash and extension`() {
        let path = path(String(repeating: "가", count: 500) + ".png")
        #expect(path.hasSuffix("가-0123456789abcdef.png"))
        #expect(path.utf8.count < SafeName.longest)
    }

    @Test func `two files with one name have different paths`() {
        let other = CopyName.path(sha256: String(repeating: "f", count: 64), name: "a.png", type: nil)
        #expect(path("a.png") != other)
    }
}
