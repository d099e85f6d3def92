import Foundation
import SearchText
import Testing

/// Words as people type them, in the scripts and spellings of many languages.
@Suite struct LanguageTests {
    /// - Returns: True if both the index and a look at the text find it.
    private func finds(_ query: String, in body: String) throws -> Bool {
        let index = try Index([body])
        let query = SearchQuery(parsing: query)
        #expect(try index.found(query) == index.matching(query))
        return try index.found(query) == [0]
    }

    @Test(arguments: [
        ("พรุ่งนี้ไปตลาดกับแม่นะ", ["ตลาด", "ไป", "แม่", "กับแม่", "พรุ่งนี้ไปตลาดกับแม่นะ", "ตลาด*", "ลา"]),
        ("ມື້ອື່ນໄປຕະຫຼາດນຳກັນ", ["ຕະຫຼາດ", "ໄປ", "ນຳກັນ"]),
        ("ខ្ញុំទៅផ្សារថ្ងៃនេះ", ["ផ្សារ", "ថ្ងៃនេះ", "ទៅ"]),
        ("ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", ["ខ្ញុំទៅ", "ទៅផ្សារ", "ខ្ញុំ\u{200B}ទៅ", "ផ្សារ"]),
        ("មិន\u{2060}ទៅ\u{200C}ទេ", ["មិនទៅ", "ទៅទេ", "មិន"]),
        ("မနက်ဖြန်ဆရာဝန်ဆီသွားမယ်", ["ဆရာဝန်", "သွား", "မနက်ဖြန်"]),
        ("ၵႂၢမ်းတႆးယူႇၼႂ်းမိူင်းတႆး", ["တႆး", "မိူင်း"]),
        ("ဘာသာမန်ဟွံသေင်", ["မန်", "ဟွံ"]),
        ("ꦱꦧꦼꦤ꧀ꦮꦺꦴꦁꦏꦭꦲꦶꦂ", ["ꦮꦺꦴꦁ", "ꦱꦧꦼꦤ꧀"]),
        ("ꊿꂷꃅꄿꐨ", ["ꃅꄿ", "ꊿ"]),
        ("ᨾᩮᩬᩥᨦᨩ᩠ᨿᨦᩉ᩠ᨾᩲ᩵", ["ᨩ᩠ᨿᨦ"]),
        ("ᦀᦲᦵᦑ", ["ᦵᦑ"]),
        ("ราคา๕๐บาท", ["50", "ราคา", "บาท", "ราคา50บาท"]),
        ("น้ำแข็ง", ["น้ํา", "นํ้า", "น้ำ"]),
    ])
    func `any part of a text without spaces between words is found`(body: String, queries: [String]) throws {
        for query in queries { #expect(try finds(query, in: body), "\(query)") }
    }

    @Test(arguments: [
        // A part of a cluster is not found.
        ("กิน", "ก"), ("สิริ", "ส"), ("กก", "กา"), ("ไปตลาด", "ตลาดไป"), ("ไป ตลาด", "ไปตลาด"), ("ขนม", "นมข"),
        ("ไป", "ไป ตลาด"),
        ("ทะเล", "\"ทะ เล\""),
    ])
    func `a text without spaces between words is found by whole clusters only`(body: String, query: String) throws {
        #expect(try !finds(query, in: body))
    }

    @Test(arguments: [
        ("Καλημέρα, πού είσαι;", ["καλημερα", "ΚΑΛΗΜΕΡΑ", "που", "εισαι"]),
        ("ὁ λόγος τῇ ῥήσει", ["ο", "λογος", "τη", "ρησει", "ΛΟΓΟΣ"]),
        ("αἱ γυναῖκες", ["αι", "γυναικεσ", "γυναῖκες".uppercased()]),
        ("أحمد في المدرسة على الأقل", ["احمد", "المدرسه", "الاقل", "علي", "أحمد", "المدرسة"]),
        ("آخر سؤال عن شيئ", ["اخر", "سوال", "شيي"]),
        ("مرحبـــا بِكُم ﻻ", ["مرحبا", "بكم", "لا"]),
        ("Đường đông quá, đi chậm thôi", ["duong", "dong", "di cham", "đi"]),
        (
            "Łódź, Øystein, Þór, Ævar, ħobż, ɗan, İzmir ılık, əla, Œuvre, Ŋaba, ɔkɔm",
            [
                "lodz", "oystein", "thor", "aevar", "hobz", "dan", "izmir", "ilik", "ela", "oeuvre", "naba", "okom",
                "ØYSTEIN",
            ]
        ),
        ("Ǿ ǽ", ["o", "ae"]),
        ("Ǯue kueʹǯǯ, Ʒ", ["ʒue", "kue'ʒʒ", "ǯue", "ʒ"]),
        ("nǐ hɑ̌o, Ꞗua, Ꞔ, ᵹaꞃꞅa, ꞯ, ƿæs", ["hao", "bua", "c", "garsa", "q", "waes", "ǷÆS"]),
        ("ǃKung, Nǁng, ǀHomkhas, kæˈliː, нюмˮ", ["!kung", "kung", "N||ng", "|homkhas", "kae'li:", "kæˈliː", "нюм\""]),
        ("Ещё зелёный чай", ["еще", "зеленый", "ещё", "ЕЩЕ"]),
        ("ѝ рече, сѐ, ѷ", ["и", "се", "ѵ", "ѝ", "СЕ"]),
        ("ᾼδης τῼ ἅιδης", ["αδης", "τω", "ᾳδης", "αιδης"]),
        ("الساعة ٣٠ غرفة ۴۵ कमरा १२ ঘর ২০২৪ 𝟘𝟙", ["30", "45", "12", "2024", "01", "٣٠", "٤٥"]),
        ("वह ज़रूर पढ़ेगा, ऩ", ["जरूर", "पढेगा", "ज़रूर", "न"]),
        ("ਜ਼ਮੀਨ বড় বাড়ি", ["ਜਮੀਨ", "বড", "বাডি"]),
        (
            "Oʻzbekiston, gʻalaba, boʼlim, Qurʾān, l’eau",
            [
                "o'zbekiston", "g‘alaba", "bo'lim", "o’zbekiston", "qur'an", "l'eau", "oʻzbekiston",
            ]
        ),
        ("ꭰꮒ ᎣᏏᏲ", ["ᎠᏂ", "ꭳꮟᏺ", "ꭰꮒ"]),
        (
            "𝐇𝐞𝐥𝐥𝐨 Ⓦⓞⓡⓛⓓ x² H₂O ㎏ Ⅷ ﬁn 13ª ⅲ ㍻ 1½",
            [
                "hello", "world", "x2", "h2o", "kg", "viii", "fin", "13a", "iii", "平成", "1 1/2", "𝐡𝐞𝐥𝐥𝐨", "㎏", "1½",
            ]
        ),
        ("ߘߎ߫ ߒߞߏ", ["ߘߎ", "ߒߞߏ"]),
        ("ᄏᄏ ㅋㅋ", ["ㅋㅋ", "ᄏᄏ", "ㅋ"]),
        ("ᠮᠣᠩᠭᠣᠯ\u{180E}ᠠ", ["ᠮᠣᠩᠭᠣᠯᠠ"]),
        ("word\u{2060}joiner zero\u{FEFF}width", ["wordjoiner", "zerowidth"]),
    ])
    func `a word is found as people type it`(body: String, queries: [String]) throws {
        for query in queries { #expect(try finds(query, in: body), "\(query)") }
    }

    @Test(arguments: [
        ("зеленый чай", "зелений"), ("мой", "мои"), ("কয়", "কয"), ("بيت", "بنت"), ("हिन्दी", "हिन्द"),
        ("ΤΟΤΕ", "ΠΟΤΕ"), ("30", "٣١"), ("ガンダム", "カンダム"), ("ßa", "sa"), ("קמץ", "קמצ"), ("o'z", "oz"),
        ("ΤΩΙ", "τῷ"), ("ʒ", "z"), ("й", "ѝ"),
        ("zero\u{200B}width", "zerowidth"),
    ])
    func `letters that people distinguish stay different`(body: String, query: String) throws {
        #expect(try !finds(query, in: body))
        #expect(try !finds(body, in: query))
    }

    @Test(arguments: [
        (
            "کتاب\u{200C}ها را می\u{200C}خواهم",
            [
                "كتاب", "کتاب", "کتابها", "ها", "میخواهم", "می", "می\u{200C}خواهم", "\"می خواهم\"",
                "\"کتابها را میخواهم\"", "خوا*", "میخ*",
            ]
        ),
        ("می خواهم", ["می\u{200C}خواهم"]), ("میخواهم", ["می\u{200C}خواهم"]), ("ශ්\u{200D}රී ලංකා", ["ශ්රී", "ශ්\u{200D}රී"]),
        ("അവന്\u{200D} വന്നു", ["അവന്"]), ("foo\u{200C}bar", ["foobar", "foo", "bar"]),
    ])
    func `a word with a joiner is found joined and in its parts`(body: String, queries: [String]) throws {
        for query in queries { #expect(try finds(query, in: body), "\(query)") }
    }

    @Test(arguments: [
        ("می\u{200C}خواهم کتاب\u{200C}ها", "\"خواهم کتاب\""), ("a می\u{200C}خواهم", "\"a خواهم\""),
        ("خواهم\u{200C}می", "می\u{200C}خواهم"),
    ])
    func `the parts of a joined word are not adjacent to other words`(body: String, query: String) throws {
        #expect(try !finds(query, in: body))
    }

    @Test func `a joined word is found in the innermost group`() throws {
        let nested = (0..<4).reduce("می\u{200C}خواهم OR z\u{200C}z") { inner, _ in
            "(x\u{200C}x OR (\(inner)) -w\u{200C}w)"
        }
        #expect(try finds(nested, in: "را می\u{200C}خواهم"))
        #expect(try !finds(nested, in: "خوا"))
    }

    @Test(arguments: [
        ("wow ‼️ really ⁉️", ["‼️", "‼", "⁉️"]), ("Acme© Foo® Bar™️", ["©️", "©", "®️", "™", "Acme", "Acme©"]),
        ("ℹ️ here", ["ℹ️", "ℹ"]),
        ("hi \u{1FAF9}🏽 there", ["\u{1FAF9}🏽", "\u{1FAF9}*"]),
    ])
    func `signs that are emoji are words`(body: String, queries: [String]) throws {
        for query in queries { #expect(try finds(query, in: body), "\(query)") }
    }

    @Test(arguments: [
        ("‼️", "wow!!"), ("©", "c"), ("\u{1FAF9}", "hi \u{1FAF9}🏽"), ("™", "tm"),
    ])
    func `emoji are found as themselves only`(query: String, body: String) throws {
        #expect(try !finds(query, in: body))
    }

    @Test(arguments: [
        ("ตลาด", "ไปตลาดกับแม่", ["ตลาด"]), ("ទៅផ្សារ", "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", ["ទៅ\u{200B}ផ្សារ"]),
        ("น", "น้ำ น นา", ["น", "น"]),
        ("نمیخواهم OR ها", "کتاب\u{200C}ها", ["ها"]), ("کتابها", "کتاب\u{200C}ها", ["کتاب\u{200C}ها"]),
        ("kg", "5㎏!", []), ("5kg", "5㎏!", ["5㎏"]),
        ("aevar", "Hr. Ævar.", ["Ævar"]), ("30", "في ٣٠ يوم", ["٣٠"]), ("جرور OR जरूर", "वह ज़रूर", ["ज़रूर"]),
        ("مرحبا", "مرحبـــا!", ["مرحبـــا"]),
        ("o'z", "Oʻz!", ["Oʻz"]), ("™", "Bar™", ["™"]),
        // U+1038 and U+102C of Burmese are clusters of their own.
        ("ကျောင်", "ကျောင်း", ["ကျောင်"]), ("က", "ကာ", ["က"]), ("ာ", "ကာ", ["ာ"]), ("င်း", "ကျောင်း", ["င်း"]),
        ("ꩺ", "ꩺꩻ", ["ꩺ"]), ("မိူင်း", "မိူင်းတႆး", ["မိူင်း"]), ("ᨠ", "ᨠᩣ", ["ᨠ"]),
    ])
    func `the letters that matched are highlighted`(query: String, body: String, marked: [String]) {
        let ranges = Matcher(SearchQuery(parsing: query)).ranges(in: body)
        #expect(ranges.map { Array(body[$0].unicodeScalars) } == marked.map { Array($0.unicodeScalars) })
    }
}

@Suite struct ExactLettersTests {
    private func matches(_ query: String, _ body: String) -> Bool {
        Matcher(SearchQuery(parsing: query, exactLetters: true)).matches(body) { _ in true }
    }

    @Test(arguments: [
        ("\"maße\"", "die maße", "die masse"), ("\"Maße\"", "Maße", "maße"), ("\"é\"", "e\u{301}", "e"),
        ("\"ко́т\"", "ко\u{301}т", "кот"),
        ("\"ё ж\"", "ё, ж", "е ж"), ("\"ก\"", "กก", "กิ"), ("\"서버\"", "새서버", "서 버"), ("\"a b\"", "a  b", "a B"),
        ("-\"maße\"", "masse", "maße"),
        ("x -(\"maße\" y)", "x y masse", "x y maße"), ("\"maße\" OR x", "x", "masse"), ("maße", "MASSE", "mase"),
        ("\"b\"", "te \u{2}b\u{2}", "B"),
        ("\"می\u{200C}خواهم\"", "می\u{200C}خواهم", "میخواهم"), ("\"👍\"", "👍\u{FE0F}", "👍🏽"),
        ("\"ကျောင်\"", "ကျောင်း", "ကျောင"), ("\"က\"", "စာက", "ကို"), ("\"က\"", "ကာ", "ကိ"), ("\"င်း\"", "ကျောင်းသား", "င်"),
        ("\"၁ က\"", "၁ က", "1 က"),
        // Invisible characters are no letters, but U+200C in a word is a spelling of its own.
        ("\"ទៅផ្សារ\"", "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", "ទៅ ផ្សារ"), ("\"ទៅ\u{200C}ផ្\u{2060}សារ\"", "ទៅផ្សារ", "ទៅផ្សា"),
        ("\"ទៅ១\u{200D}ផ្សារ\"", "ទៅ១ផ្\u{AD}សារ", "ទៅ1ផ្សារ"), ("\"Maße\"", "Ma\u{AD}\u{2060}ße", "ma\u{AD}ße"),
        ("\"Wörd\u{AD}er\"", "W\u{FEFF}örder", "W\u{200B}örder"), ("\"word\"", "wo\u{AD}rd", "wo\u{200C}rd"),
    ])
    func `letters of a phrase count as they are written`(query: String, body: String, other: String) throws {
        #expect(matches(query, body))
        #expect(!matches(query, other))
        // The index finds every spelling, and no message less.
        let index = try Index([body, other])
        #expect(try index.found(SearchQuery(parsing: query, exactLetters: true)).first == 0)
    }

    /// A text with `é` is cut into its parts, and a text of ASCII is compared as it is.
    @Test func `a text of ASCII has the same matches as any other`() {
        let words = ["a", "A", "ab", "a-b", "b2", "2b", "a b", "_a", "b.", "", "a  b", "B", "ba", "#"]
        let phrases = [
            "a", "A", "ab", "a b", "a-b", "a b a", "2b", "b2", "\u{212A}", "“a” b", "a\u{200C}b", "é", "#", "a, #b",
        ]
        for first in words {
            for second in words {
                let body = "\(first) \(second)"
                for query in phrases.flatMap({ ["\"\($0)\"", "-\"\($0)\" a", "\"\($0)\" OR \"B\""] }) {
                    #expect(matches(query, body) == matches(query, "\(body) . ü"), "\(query) in \(body)")
                }
            }
        }
        #expect(matches("\"\u{212A}\"", "5 K"))
    }

    @Test func `only the spelling that matched is highlighted`() {
        let body = "Maße und Masse"
        let ranges = Matcher(SearchQuery(parsing: "\"Maße\"", exactLetters: true)).ranges(in: body)
        #expect(ranges.map { String(body[$0]) } == ["Maße"])
    }

    @Test func `a query says if its letters count`() {
        #expect(SearchQuery(parsing: "\"a\" b", exactLetters: true).hasExactLetters)
        #expect(!SearchQuery(parsing: "a b", exactLetters: true).hasExactLetters)
        #expect(!SearchQuery(parsing: "\"a\" b").hasExactLetters)
        #expect(SearchQuery(parsing: "\"a\" b", exactLetters: true).written == "\"a\" b")
    }
}

@Suite struct FoldedNameTests {
    @Test(arguments: [
        ("José", "jose"), ("STRASSER", "Straßer"), ("ΟΔΥΣΣΈΑΣ", "Οδυσσέας"), ("ԵՐԵՒԱՆ", "Երեւան"), ("Łukasz", "lukasz"),
        ("أحمد", "احمد"),
        ("O’Brien", "o'brien"), ("Gʻulom", "g'ulom"), ("Ｆｕｌｌ", "full"), ("ﬁona", "FIONA"), ("Ёжик", "ежик"),
        ("김민수", "김민수"),
        ("می\u{200C}نا", "مینا"), ("ٱحمد ٣", "احمد 3"), ("❤️", "❤"),
    ])
    func `names are equal as words are`(name: String, other: String) {
        #expect(FoldedName.fold(name) == FoldedName.fold(other))
    }

    @Test(arguments: [("김민수", "김민수".decomposedStringWithCanonicalMapping), ("Zoë", "Zoe\u{308}")])
    func `composed and decomposed names are equal`(name: String, other: String) {
        #expect(FoldedName.fold(name) == FoldedName.fold(other))
    }

    @Test(arguments: [("कुमार", "क"), ("สิริ", "ส"), ("ක්‍රිස්", "ක"), ("Ævar", "æ"), ("김민수", "김")])
    func `a name begins with its first letter`(name: String, beginning: String) {
        #expect(FoldedName.fold(name).unicodeScalars.starts(with: FoldedName.fold(beginning).unicodeScalars))
    }

    @Test func `spaces and punctuation stay`() {
        #expect(FoldedName.fold("#Café, Trip-2026 ⇄") == "#cafe, trip-2026 ⇄")
    }
}
