import Bytes
import Foundation
import TestSupport
import Testing

struct TextFormTests {
    @Test(arguments: [
        "", "abc", "e\u{301}", "é", "가족", "각", "q\u{307}\u{323}", "\u{212B}", "\u{FB1D}", "\u{1F1E6}",
        "a\u{301}\u{315}b",
    ])
    func `a text has the normal forms that Foundation makes`(text: String) {
        let all = [text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
        for text in all {
            #expect(Array(text.composed.unicodeScalars) == Array(all[2].unicodeScalars))
            #expect(Array(text.decomposed.unicodeScalars) == Array(all[1].unicodeScalars))
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `every code point is composed as Foundation composes it`() {
        let scalars = (0...UInt32(0x10FFFF)).lazy.compactMap(Unicode.Scalar.init).map { String($0) }
        let other = scalars.filter { Array($0.composed.utf8) != Array($0.precomposedStringWithCanonicalMapping.utf8) }
        #expect(Array(other) == [])
    }

    @Test(arguments: [
        ("", ""), (" \t\n", ""), ("a", "a"), ("  a b\r\n", "a b"), ("\u{3000}가\u{200B}", "가"), ("\u{85}a\u{2029}", "a"),
        (" \u{301}a", "\u{301}a"),
    ])
    func `a text loses the white space at its ends`(text: String, rest: String) {
        #expect(Array(text.trimmed.unicodeScalars) == Array(rest.unicodeScalars))
        #expect(text[...].trimmed == text.trimmed)
    }

    @Test(arguments: [
        ("", ""), (" \t\r\n", ""), ("a", "a"), ("  a b\r\n", "a b"), ("\u{3000}가 ", "\u{3000}가"),
        (" \u{301}é\n", "\u{301}é"),
    ])
    func `a text loses the spaces of ASCII at its ends`(text: String, rest: String) {
        #expect(Array(text.withoutOuterSpaces.utf8) == Array(rest.utf8))
    }
}
