import Testing

/// An invented sentence of a language, and words of it as people type them.
struct LanguageSample: Sendable, CustomTestStringConvertible {
    /// The code of the language (BCP 47).
    let language: String
    /// The words. Between those of a spaced script are spaces, between the others nothing.
    let words: [String]
    /// True for scripts without spaces between words.
    let isUnspaced: Bool
    /// Words of the sentence, each with what people type for it.
    let typed: [(word: String, typed: String)]

    var text: String { words.joined(separator: isUnspaced ? "" : " ") }
    var testDescription: String { language }

    /// - Parameter text: Words with spaces between them, or with `|` in a script without spaces.
    private init(_ language: String, _ text: String, _ typed: [(word: String, typed: String)] = []) {
        self.language = language
        isUnspaced = text.contains("|")
        words = text.split(separator: isUnspaced ? "|" : " ").map(String.init)
        self.typed = typed
    }

    static let all: [LanguageSample] = latin + otherAlphabets + abjads + indic + unspaced

    private static let latin = [
        LanguageSample("en", "Good morning, shall we bake fresh bread before the rain starts?"),
        LanguageSample(
            "de", "Grüß dich, heute regnet es auf der Straße und wir essen süße Äpfel",
            [("Grüß", "GRUSS"), ("Straße", "strasse"), ("süße", "susse"), ("Äpfel", "apfel")]),
        LanguageSample(
            "fr", "Bonjour, l’été commence, goûtez ce gâteau à la crème et à l’œuf",
            [("l’été", "l'ete"), ("gâteau", "GATEAU"), ("l’œuf", "l'oeuf"), ("crème", "creme")]),
        LanguageSample(
            "es", "¡Buenos días! Mañana lloverá, así que comeremos sopa en el jardín",
            [("días!", "dias"), ("Mañana", "manana"), ("lloverá,", "LLOVERA"), ("jardín", "jardin")]),
        LanguageSample(
            "pt", "Olá, o pão está quente e não há mais café na estação",
            [("pão", "pao"), ("não", "NAO"), ("estação", "estacao")]),
        LanguageSample(
            "pl", "Dzień dobry, łyżka leży obok żółtego jabłka na stole",
            [("łyżka", "lyzka"), ("jabłka", "JABLKA"), ("żółtego", "zoltego")]),
        LanguageSample(
            "cs", "Dobré ráno, u řeky roste švestka a děti pečou koláče",
            [("řeky", "reky"), ("švestka", "SVESTKA"), ("děti", "deti")]),
        LanguageSample(
            "hr", "Dobar dan, đaci piju čaj ispod šljive kraj rijeke",
            [("đaci", "daci"), ("čaj", "CAJ"), ("šljive", "sljive")]),
        LanguageSample(
            "hu", "Jó reggelt, esős az idő, főzzünk meleg gulyást tűzön",
            [("idő,", "ido"), ("főzzünk", "FOZZUNK"), ("tűzön", "tuzon")]),
        LanguageSample(
            "ro", "Bună ziua, ploaia și zăpada țin până mâine dimineață",
            [("și", "si"), ("țin", "TIN"), ("dimineață", "dimineata")]),
        LanguageSample(
            "tr", "Günaydın, ılık çorba içelim, dışarıda yağmur yağıyor, İpek geliyor",
            [("ılık", "ilik"), ("dışarıda", "DISARIDA"), ("İpek", "ipek"), ("yağmur", "yagmur")]),
        LanguageSample(
            "az", "Sabahınız xeyir, bu gün hava küləklidir, gəlin çörək bişirək",
            [("gəlin", "gelin"), ("çörək", "corek"), ("küləklidir,", "KULEKLIDIR")]),
        LanguageSample(
            "vi", "Chào buổi sáng, đường ướt vì mưa, đi ăn phở nóng nhé",
            [("đường", "duong"), ("ướt", "UOT"), ("đi", "di"), ("phở", "pho")]),
        LanguageSample(
            "da", "Godmorgen, på øen blæser det, og vi spiser grød med æbler",
            [("øen", "oen"), ("blæser", "BLAESER"), ("æbler", "aebler"), ("på", "pa")]),
        LanguageSample(
            "is", "Góðan daginn, það snjóar og við drekkum heitt súkkulaði þarna",
            [("Góðan", "godan"), ("það", "THAD"), ("þarna", "tharna"), ("súkkulaði", "sukkuladi")]),
        LanguageSample(
            "mt", "Il-ħobż tajjeb u x-xemx tiddi, għaddi l-ġbejna",
            [("Il-ħobż", "il-hobz"), ("għaddi", "GHADDI"), ("l-ġbejna", "l-gbejna")]),
        LanguageSample(
            "ha", "Ina kwana, ɗan uwa, ƙasa ta jiƙe da ruwan sama",
            [("ɗan", "dan"), ("ƙasa", "KASA"), ("jiƙe", "jike")]),
        LanguageSample(
            "yo", "Ẹ káàárọ̀, òjò ń rọ̀, ẹ jẹ́ kí á jẹun", [("káàárọ̀,", "kaaaro"), ("òjò", "OJO"), ("jẹun", "jeun")]),
        LanguageSample(
            "uz", "Xayrli tong, bugun yomgʻir yogʻadi, choy va oʻrik bor",
            [("yomgʻir", "yomg'ir"), ("yogʻadi,", "yog’adi"), ("oʻrik", "O'RIK")]),
        LanguageSample("sw", "Habari za asubuhi, mvua inanyesha, karibu chai na maandazi"),
        LanguageSample("id", "Selamat pagi, hujan turun deras, mari minum teh hangat"),
        LanguageSample("fi", "Huomenta, tänään tuulee, keitetään yhdessä hernekeittoa", [("tänään", "tanaan")]),
    ]

    private static let otherAlphabets = [
        LanguageSample(
            "ru", "Доброе утро, всё ещё идёт дождь, зелёный чай остыл",
            [("всё", "все"), ("ещё", "ЕЩЕ"), ("зелёный", "зеленый"), ("идёт", "идет")]),
        LanguageSample("uk", "Добрий ранок, їжак п’є молоко, а ґава дивиться", [("п’є", "п'є"), ("їжак", "ЇЖАК")]),
        LanguageSample("bg", "Добро утро, вятърът духа и хлябът мирише хубаво", [("вятърът", "ВЯТЪРЪТ")]),
        LanguageSample("kk", "Қайырлы таң, бүгін күн ашық, шай ішейік", [("Қайырлы", "ҚАЙЫРЛЫ"), ("бүгін", "БҮГІН")]),
        LanguageSample("mn", "Өглөөний мэнд, өнөөдөр цас орно, халуун цай ууцгаая", [("Өглөөний", "өглөөний")]),
        LanguageSample(
            "el", "Καλημέρα, βρέχει πολύ, πού θα φάμε ζεστή φασολάδα σήμερα;",
            [
                ("Καλημέρα,", "ΚΑΛΗΜΕΡΑ"), ("πολύ,", "πολυ"), ("πού", "που"), ("φάμε", "φαμε"), ("σήμερα;", "ΣΗΜΕΡΑ"),
            ]),
        LanguageSample(
            "grc", "ὁ ἥλιος λάμπει καὶ ἡ θάλασσα εὐφραίνει ἡμᾶς",
            [("ἥλιος", "ηλιος"), ("εὐφραίνει", "ΕΥΦΡΑΙΝΕΙ"), ("ἡμᾶς", "ημασ")]),
        LanguageSample(
            "hy", "Բարի լույս, այսօր անձրեւ է, եկեք տաք հաց ուտենք", [("անձրեւ", "ԱՆՁՐԵՒ"), ("լույս,", "ԼՈՒՅՍ")]),
        LanguageSample("ka", "დილა მშვიდობისა, დღეს წვიმს, ცხელი პური გვაქვს", [("დღეს", "ᲓᲦᲔᲡ")]),
        LanguageSample("chr", "ꭳꮟᏺ ꭰꮒ ꮒꭶꮣ ꭶꮵ", [("ꭳꮟᏺ", "ᎣᏏᏲ"), ("ꭰꮒ", "ᎠᏂ")]),
        LanguageSample("am", "ሰላም ዛሬ ዝናብ ይዘንባል ትኩስ ቡና እንጠጣ"),
        LanguageSample("zgh", "ⴰⵣⵓⵍ ⴰⵙⵙⴰ ⵉⵍⵍⴰ ⵓⵏⵣⴰⵔ ⵙⵓⵖ ⴰⵜⴰⵢ"),
        LanguageSample("nqo", "ߌ ߣߌ߫ ߛߐ߰ߡߊ߬ ߖߌ ߦߋ߫ ߘߊߞߎ", [("ߣߌ߫", "ߣߌ"), ("ߛߐ߰ߡߊ߬", "ߛߐ߰ߡߊ"), ("ߦߋ߫", "ߦߋ")]),
        LanguageSample("mn-Mong", "ᠰᠠᠢᠨ ᠪᠠᠢᠨ᠎ᠠ ᠤᠤ ᠴᠠᠢ ᠤᠤᠭᠤᠶ᠎ᠠ", [("ᠪᠠᠢᠨ᠎ᠠ", "ᠪᠠᠢᠨᠠ")]),
        LanguageSample("ff-Adlm", "𞤔𞤢𞤪𞤢𞤥 𞤸𞤢𞤲𞤣𞤫 𞤼𞤮𞤩𞤮", [("𞤔𞤢𞤪𞤢𞤥", "𞤶𞤢𞤪𞤢𞤥")]),
    ]

    private static let abjads = [
        LanguageSample(
            "ar", "صباح الخير يا أمينة، إلى المدرسة في الساعة ٧ وعلى الطاولة خبزٌ ساخن",
            [
                ("أمينة،", "امينه"), ("إلى", "الي"), ("المدرسة", "المدرسه"), ("٧", "7"), ("وعلى", "وعلي"),
                ("خبزٌ", "خبز"),
                ("الساعة", "الســاعة"),
            ]),
        LanguageSample(
            "fa", "سلام، امروز باران می‌بارد و کتاب‌ها روی میزند، یک چای ۳ قند",
            [
                ("می‌بارد", "میبارد"), ("می‌بارد", "می بارد"), ("کتاب‌ها", "كتابها"), ("یک", "يك"), ("چای", "چاي"),
                ("۳", "3"), ("امروز", "ام‌روز"),
            ]),
        LanguageSample(
            "ur", "السلام علیکم، آج گرمی ہے، ٹھنڈا شربت پیتے ہیں",
            [("آج", "اج"), ("گرمی", "گرمي"), ("علیکم،", "عليكم")]),
        LanguageSample(
            "he", "בֹּקֶר טוֹב, היום יורד גשם, נאכל מרק בצה״ל חם",
            [("בֹּקֶר", "בקר"), ("טוֹב,", "טוב"), ("בצה״ל", "בצה\"ל")]),
        LanguageSample("syr", "ܫܠܡܐ ܥܡܟ ܡܛܪܐ ܢܚܬ"),
        LanguageSample("dv", "އައްސަލާމް މިއަދު ވާރޭ ވެހެނީ"),
    ]

    private static let indic = [
        LanguageSample(
            "hi", "नमस्ते, आज ज़ोर की बारिश है, गरम पकौड़े और १२ समोसे लाओ",
            [("ज़ोर", "जोर"), ("पकौड़े", "पकौडे"), ("१२", "12")]),
        LanguageSample("ne", "शुभ प्रभात, आज घाम लागेको छ, भात खाऔं"),
        LanguageSample("bn", "সুপ্রভাত, বড় বৃষ্টি হয় আজ, ২ কাপ চা দাও", [("বড়", "বড"), ("২", "2"), ("হয়", "হয়")]),
        LanguageSample("pa", "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਅੱਜ ਜ਼ਰਾ ਮੀਂਹ ਹੈ, ਰੋਟੀ ਖਾਓ", [("ਜ਼ਰਾ", "ਜਰਾ")]),
        LanguageSample("gu", "નમસ્તે, આજે વરસાદ છે, ગરમ ચા પીશું"),
        LanguageSample("or", "ନମସ୍କାର, ଆଜି ବର୍ଷା ହେଉଛି, ବଡ଼ ଗଛ ତଳେ ଚା", [("ବଡ଼", "ବଡ")]),
        LanguageSample("ta", "வணக்கம், இன்று மழை பெய்கிறது, சூடான இட்லி சாப்பிடலாம்"),
        LanguageSample("te", "నమస్కారం, ఈరోజు వాన పడుతోంది, వేడి టీ తాగుదాం"),
        LanguageSample("kn", "ನಮಸ್ಕಾರ, ಇಂದು ಮಳೆ ಬರುತ್ತಿದೆ, ಬಿಸಿ ದೋಸೆ ತಿನ್ನೋಣ"),
        LanguageSample("ml", "നമസ്കാരം, ഇന്ന് മഴയാണ്, അവന്‍ ചൂടുള്ള ചായ കുടിച്ചു", [("അവന്‍", "അവന്")]),
        LanguageSample("si", "ආයුබෝවන්, ශ්‍රී ලංකාවේ වැස්ස, උණු තේ බොමු", [("ශ්‍රී", "ශ්රී")]),
        LanguageSample("bo", "བཀྲ་ཤིས་བདེ་ལེགས། དེ་རིང་ཆར་པ་འབབ།", [("བཀྲ་ཤིས་བདེ་ལེགས།", "བདེ་ལེགས")]),
        LanguageSample("mni-Mtei", "ꯈꯨꯔꯨꯝꯖꯔꯤ ꯉꯁꯤ ꯅꯣꯡ ꯆꯨꯔꯤ"),
    ]

    private static let unspaced = [
        LanguageSample(
            "th", "วันนี้|ฝน|ตก|หนัก|มาก|กิน|ข้าว|กับ|น้ำปลา|ราคา|๔๐|บาท", [("น้ำปลา", "น้ํา"), ("๔๐", "40"), ("วันนี้", "วัน")]),
        LanguageSample("lo", "ສະບາຍດີ|ມື້ນີ້|ຝົນ|ຕົກ|ກິນ|ເຂົ້າ|ໜຽວ|ນຳ|ກັນ", [("ນຳ", "ນໍາ")]),
        LanguageSample("km", "ថ្ងៃនេះ|មាន|ភ្លៀង|យើង|ញ៉ាំ|បាយ|ក្តៅ|ជាមួយ|គ្នា", [("ភ្លៀង", "ភ្\u{200B}លៀង")]),
        LanguageSample("my", "ဒီနေ့|မိုး|ရွာ|တယ်|လက်ဖက်ရည်|သောက်|ရအောင်", [("လက်ဖက်ရည်", "ဖက်ရည်")]),
        LanguageSample("shn", "မႂ်ႇသုင်|ဝၼ်းၼႆႉ|ၽူၼ်|တူၵ်း|ၵိၼ်|ၶဝ်ႈ"),
        LanguageSample("mnw", "တ္ၚဲဏအ်|ဗြဲ|တိတ်|စ|ပုၚ်"),
        LanguageSample("jv-Java", "ꦱꦸꦒꦼꦁ|ꦲꦺꦚ꧀ꦗꦁ|ꦲꦸꦢꦤ꧀|ꦢꦼꦉꦱ꧀"),
        LanguageSample("nod-Lana", "ᩈᩅᩢᩈ᩠ᨯᩦ|ᨾᩨ᩶ᨶᩦ᩶|ᨺᩫ᩠ᨶ|ᨲᩫ᩠ᨠ"),
        LanguageSample("ii", "ꆈꌠ|ꁱꂷ|ꀋꉬ|ꃅꐚ"),
        LanguageSample("ko", "오늘은|비가|와서|따뜻한|국수를|먹어요", [("국수를", "국수"), ("따뜻한", "뜻")]),
        LanguageSample("ja", "今日|は|雨|なので|熱い|ラーメン|を|食べる", [("ラーメン", "ﾗｰﾒﾝ"), ("食べる", "食")]),
        LanguageSample("zh-Hans", "今天|下雨|我们|一起|吃|热|面条|吧", [("面条", "面")]),
        LanguageSample("zh-Hant", "早安|外面|颳風|請|喝|薑|湯", [("颳風", "風")]),
    ]
}
