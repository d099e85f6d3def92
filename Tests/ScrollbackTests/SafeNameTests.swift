import Foundation
import Testing

@testable import Exporting

struct SafeNameTests {
    private func folder(_ name: String) -> String {
        var names = SafeName()
        return names.folder(for: name, otherwise: "room")
    }

    @Test(arguments: [
        ("#example", "#example"), ("가족", "가족"), ("가족", "가족"), ("alice & bob", "alice & bob"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("..", "_"), (".hidden", "_hidden"),
        ("../../etc", "_._.._etc"),
        ("end. . ", "end"), ("  start", "start"), ("", "room"), (" . ", "room"), ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("com1", "_com1"), ("LPT²", "_LPT²"), ("console", "console"), ("index.html", "_index.html"),
        ("manifest.jsonl", "_manifest.jsonl"), ("index", "index"), ("Attachments", "_Attachments"),
        ("files", "_files"),
    ])
    func `a folder has the room's name without characters that file systems refuse`(name: String, expected: String) {
        #expect(
            Array(folder(name).unicodeScalars) == Array(expected.precomposedStringWithCanonicalMapping.unicodeScalars))
    }

    @Test(arguments: ["a\u{0}b", "a\nb", "a\u{1B}[1mb", "a\u{202E}b"])
    func `folder names have no control characters and direction overrides`(name: String) {
        let folder = folder(name)
        #expect(folder.unicodeScalars.allSatisfy { $0.value > 0x1F && $0.value != 0x202E && $0 != "\\" }, "\(folder)")
    }

    @Test func `a long name is cut between characters, and has at most 143 bytes with a number`() {
        var names = SafeName()
        let name = String(repeating: "가", count: 100)
        let (first, second) = (names.folder(for: name, otherwise: "room"), names.folder(for: name, otherwise: "room"))
        #expect(first.utf8.count == 120)
        #expect(second == first + "-2")
    }

    @Test func `names that differ only in case or Unicode form get different folders`() {
        var names = SafeName()
        let given = ["#Foo", "#foo", "#FOO", "#foo-2", "가", "\u{1100}\u{1161}", "Straße", "STRASSE"]
        let folders = given.map { names.folder(for: $0, otherwise: "room") }
        #expect(folders == ["#Foo", "#foo-2", "#FOO-3", "#foo-2-2", "가", "가-2", "Straße", "STRASSE-2"])
    }
}
