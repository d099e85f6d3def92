import SearchText
import Testing

/// Messages and the spellings in which their readers looked for them, each beside words that are not in them.
@Suite struct ReportedSpellingTests {
    @Test(arguments: [
        ("พรุ่งนี้เจอกันที่สนามบินนะ", ["สนามบิน", "เจอกัน"], ["สนามหญ้า", "กันเจอ", "ที"]),
        ("မနက်ဖြန်ဆရာဝန်ဆီသွားမယ်", ["ဆရာဝန်", "သွား"], ["ဝန်ဆရာ", "သ", "ဆေး"]),
        ("ខ្ញុំទៅផ្សារថ្ងៃនេះ", ["ផ្សារ", "ថ្ងៃនេះ"], ["នេះថ្ងៃ", "ផ្ទះ"]),
        ("Καλημέρα, πού είσαι;", ["καλημερα", "ΚΑΛΗΜΕΡΑ", "που"], ["καλημερ", "καλησπερα", "πως"]),
        ("أحمد في المدرسة على الأقل", ["احمد", "المدرسه", "الاقل", "علي"], ["حمد", "المدرس", "عل", "محمد"]),
        ("Đường đông quá, đi chậm thôi", ["duong", "dong", "di cham"], ["duon", "\"cham di\"", "tong"]),
        (
            "کتاب\u{200C}ها را می\u{200C}خواهم", ["كتاب", "کتابها", "میخواهم", "کتاب\u{200C}ها"],
            ["کتابه", "خواه", "\"ها را می\""]
        ),
        ("Ещё зелёный чай", ["еще", "зеленый", "ЕЩЁ"], ["ещ", "зелений", "чаи"]),
        ("الساعة ٣٠ غرفة ۴۵ कमरा १२ ঘর ২০২৪", ["30", "45", "12", "2024", "٤٥"], ["3", "54", "202", "٣١"]),
        ("वह ज़रूर पढ़ेगा", ["जरूर", "पढेगा", "ज़रूर"], ["जरू", "पढे", "जरूरी"]),
        (
            "Oʻzbekiston, gʻalaba, boʼlim", ["o'zbekiston", "g‘alaba", "bo'lim", "Oʻzbekiston"],
            ["ozbekiston", "galaba", "bo'li"]
        ),
        (
            "مرحبـــا ꭰꮒ 𝐇𝐞𝐥𝐥𝐨 x² ㎏ ߘߎ߫ ᄏᄏ ‼️ ®️", ["مرحبا", "ᎠᏂ", "hello", "x2", "kg", "ߘߎ", "ㅋㅋ", "‼", "®"],
            ["مرحب", "Ꭰ", "hell", "x", "g", "ߘ", "ㄱ", "⁉️", "©️"]
        ),
    ])
    func `a message is found in its reader's spelling, and by no other word`(
        message: String, found: [String], others: [String]
    ) throws {
        let index = try Index([message])
        for (query, rows) in found.map({ ($0, [0]) }) + others.map({ ($0, []) }) {
            #expect(try index.found(SearchQuery(parsing: query)) == rows, "\(query)")
            #expect(index.matching(SearchQuery(parsing: query)) == rows, "\(query)")
        }
    }

    @Test(arguments: [
        ("สิริ", "ส", "ริ"), ("José", "jose", "os"), ("ΟΔΥΣΣΈΑΣ", "οδυσσεας", "δυσ"), ("STRASSER", "straßer", "trasser"),
    ])
    func `a name begins with what its reader types`(name: String, typed: String, other: String) {
        let name = FoldedName.fold(name).unicodeScalars
        #expect(name.starts(with: FoldedName.fold(typed).unicodeScalars))
        #expect(!name.starts(with: FoldedName.fold(other).unicodeScalars))
    }

    @Test(arguments: [
        (#"\bहिन्दी\b"#, "मैं हिन्दी लिखता हूँ", true), (#"हि\b"#, "मैं हिन्दी लिखता हूँ", false), (#"^\w+$"#, "हिन्दी", true),
        (#"\bகதை\b"#, "நல்ல கதை", true), (#"\bகத\b"#, "நல்ல கதை", false), (#"\bسلام\b"#, "سَلَام", false),
    ])
    func `a regular expression knows the words of a script with vowel signs`(
        pattern: String, text: String, matches: Bool
    ) throws {
        #expect(try RegularExpression(pattern).matches(text) == matches)
    }
}
