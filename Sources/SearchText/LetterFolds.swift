/// Letters that search takes for another letter: those that have no case or accent in common with it, and the most frequent
/// of those that have, for which a table takes a tenth of the time.
enum LetterFolds {
    /// Appends what the letter is folded to.
    ///
    /// - Returns: False if the table does not have the letter.
    @inline(__always)
    static func fold(_ letter: Unicode.Scalar, into token: inout [Unicode.Scalar]) -> Bool {
        table.forEach(of: letter) { token.append($0) }
    }

    private static let table = ScalarTable([latin, latinSupplement, greek, others, jamo].joined(separator: " "))

    /// The letters of Latin-ASCII.xml of CLDR 41 in lower case, and those that decompose to one of them or to a letter of
    /// ASCII, such as `ǿ` and `é` (UnicodeData.txt, Unicode 17.0.0).
    private static let latin = """
        C0..C5=61 C6=61+65 C7=63 C8..CB=65 CC..CF=69 D0=64 D1-D2=6E D3..D6=6F D8=6F D9..DC=75 DD=79 DE=74+68 DF=73+73
        E0..E5=61 E6=61+65 E7=63 E8..EB=65 EC..EF=69 F0=64 F1-F2=6E F3..F6=6F F8=6F F9..FC=75 FD=79 FE=74+68 FF=79
        100..105=61 106..10D=63 10E..111=64 112..11B=65 11C..123=67 124..127=68 128..131=69 134..135=6A 136..137=6B
        138=71 139..13E=6C 141..142=6C 143..148=6E 14A..14B=6E 14C..151=6F 152..153=6F+65 154..159=72 15A..161=73
        162..167=74 168..173=75 174..175=77 176..178=79 179..17E=7A 180..183=62 187..188=63 189..18C=64 190-191=65
        192-193=66 195=68+76 196..197=69 198..199=6B 19A=6C 19D..19E=6E 1A0..1A1=6F 1A2..1A3=6F+69 1A4..1A5=70 1A6=72
        1AB..1AE=74 1AF..1B0=75 1B2=76 1B3..1B4=79 1B5..1B6=7A 1CD..1CE=61 1CF..1D0=69 1D1..1D2=6F 1D3..1DC=75
        1DE..1E1=61 1E2..1E3=61+65 1E4..1E7=67 1E8..1E9=6B 1EA..1ED=6F 1F0=6A 1F4..1F5=67 1F6=68+76 1F8..1F9=6E
        1FA..1FB=61 1FC..1FD=61+65 1FE..1FF=6F 200..203=61 204..207=65 208..20B=69 20C..20F=6F 210..213=72 214..217=75
        218..219=73 21A..21B=74 21E..21F=68 220=6E 221=64 224..225=7A 226..227=61 228..229=65 22A..231=6F 232..233=79
        234=6C 235=6E 236=74 237=6A 238=64+62 239=71+70 23A=61 23B..23C=63 23D=6C 23E=74 23F=73 240=7A 243=62 244=75
        246..247=65 248..249=6A 24C..24D=72 24E..24F=79 253=62 255-256=63 257=64 25B=65 25F=6A 260..262=67 266..267=68
        268..26A=69 26B..26D=6C 271-272=6D 273..274=6E 276=6F+65 27C..27E=72 280=72 282=73 288-289=74 28B=76 28F-290=79
        291=7A 299=62 29B-29C=67 29D=6A 29F=6C 2A0=71 2A3=64+7A 2A5=64+7A 2A6=74+73 2AA=6C+73 2AB=6C+7A 1D00=61
        1D01=61+65 1D03-1D05=62 1D06-1D07=64 1D0A-1D0D=6A 1D0F=6F 1D18=70 1D1B-1D1C=74 1D20-1D21=76 1D22=7A 1D6B=75+65
        1D6C=62 1D6D=64 1D6E=66 1D6F-1D70=6D 1D71=70 1D72..1D73=72 1D74-1D75=73 1D76=7A 1D7A=74+68 1D7B=69 1D7D=70
        1D7E=75 1D80=62 1D81=64 1D82-1D83=66 1D84-1D87=6B 1D88=70 1D89-1D8A=72 1D8C=76 1D8D=78 1D8E=7A 1D8F=61
        1D91-1D92=64 1D93=65 1D96=69 1D99=75 1E00..1E01=61 1E02..1E07=62 1E08..1E09=63 1E0A..1E13=64 1E14..1E1D=65
        1E1E..1E1F=66 1E20..1E21=67 1E22..1E2B=68 1E2C..1E2F=69 1E30..1E35=6B 1E36..1E3D=6C 1E3E..1E43=6D 1E44..1E4B=6E
        1E4C..1E53=6F 1E54..1E57=70 1E58..1E5F=72 1E60..1E69=73 1E6A..1E71=74 1E72..1E7B=75 1E7C..1E7F=76 1E80..1E89=77
        1E8A..1E8D=78 1E8E..1E8F=79 1E90..1E95=7A 1E96=68 1E97=74 1E98=77 1E99=79 1E9C..1E9D=73 1E9E=73+73 1EA0..1EB7=61
        1EB8..1EC7=65 1EC8..1ECB=69 1ECC..1EE3=6F 1EE4..1EF1=75 1EF2..1EF9=79 1EFA..1EFB=6C+6C 1EFC..1EFD=76
        1EFE..1EFF=79 212A=6B 212B=61 2C60..2C62=6C 2C63=70 2C64=72 2C65=61 2C66=74 2C67..2C68=68 2C69..2C6A=6B
        2C6B..2C6C=7A 2C6E=6D 2C71-2C72=76 2C73=77 2C74=76 2C78=65 2C7A=6F 2C7E=73 2C7F=7A A730=66 A731=73
        A732..A733=61+61 A734..A735=61+6F A736..A737=61+75 A738..A73B=61+76 A73C..A73D=61+79 A740..A745=6B A746..A749=6C
        A74A..A74D=6F A74E..A74F=6F+6F A750..A755=70 A756..A759=71 A75E..A75F=76 A760..A761=76+79 A764..A767=74+68
        A771=64 A772-A774=6C A775..A776=72 A777=74 A779..A77A=64 A77B..A77C=66 A786..A787=74 A790..A791=6E A792..A793=63
        A7A0..A7A1=67 A7A2..A7A3=6B A7A4..A7A5=6E A7A6..A7A7=72 A7A8..A7A9=73 A7AA=68 A7AC=67 A7AD=6C A7AE=69 A7B2=6A
        A7C5=73 A7C6=7A
        """

    /// Letters that CLDR 41 leaves out, as people type them in ASCII: `ə` of Azerbaijani, `ɔ`, `ʊ` and `ɣ` of African
    /// languages, `ɵ` of Turkic ones, `ɑ` of Pinyin and of Cameroon, `ƿ` of Old English, the insular letters of Irish, the
    /// small capital `ꞯ`; and those that are a letter of ASCII with something added, by their name in UnicodeData.txt of
    /// Unicode 17.0.0, such as LATIN SMALL LETTER U WITH STROKE. `ǯ` is `ʒ` with an accent.
    private static let latinSupplement = """
        186=6F 18E..18F=65 194=67 19F=6F 1B1=75 1BF=77 1DD=65 1EE..1EF=292 1F7=77 24A..24B=71 251=61 254=6F 259=65
        263=67 275=6F 28A=75 1D79=67 2C6D=61 A726..A727=68 A75A..A75B=72 A762..A763=7A A77D..A77F=67 A782..A783=72
        A784..A785=73 A78E=6C A794=63 A795=68 A796..A797=62 A798..A799=66 A7AF=71 A7B8..A7B9=75 A7C4=63 A7C7..A7C8=64
        A7C9..A7CA=73 A7CC..A7CD=73 A7D0..A7D1=67 AB34=65 AB37..AB39=6C AB3A-AB3B=6D AB49=72 AB4E=75 AB52=75
        AB56..AB59=78 AB5A=79 1DF09=74 1DF11=6C 1DF13=6C 1DF16=72 1DF1A=69 1DF1B=6F 1DF1D=63 1DF1E=73 1DF25=64 1DF26=6C
        1DF27=6E 1DF28=72 1DF29-1DF2A=73
        """

    /// Letters with tonos, dialytika, breathings and iota below, as the letter without them, since Greek in capitals has
    /// none; capitals, and the final sigma (UnicodeData.txt, Unicode 17.0.0).
    private static let greek = """
        370=371 372=373 376=377 37F=3F3 386=3B1 388=3B5 389=3B7 38A=3B9 38C=3BF 38E=3C5 38F=3C9 390=3B9 391-3A1=3B1
        3A3-3A9=3C3 3AA=3B9 3AB=3C5 3AC=3B1 3AD=3B5 3AE=3B7 3AF=3B9 3B0=3C5 3C2=3C3 3CA=3B9 3CB=3C5 3CC=3BF 3CD=3C5
        3CE=3C9 3CF=3D7 3D8=3D9 3DA=3DB 3DC=3DD 3DE=3DF 3E0=3E1 3F7=3F8 3FA=3FB 3FD-3FF=37B 1F00..1F0F=3B1
        1F10..1F15=3B5 1F18..1F1D=3B5 1F20..1F2F=3B7 1F30..1F3F=3B9 1F40..1F45=3BF 1F48..1F4D=3BF 1F50..1F57=3C5
        1F59=3C5 1F5B=3C5 1F5D=3C5 1F5F=3C5 1F60..1F6F=3C9 1F70..1F71=3B1 1F72..1F73=3B5 1F74..1F75=3B7 1F76..1F77=3B9
        1F78..1F79=3BF 1F7A..1F7B=3C5 1F7C..1F7D=3C9 1F80..1F8F=3B1 1F90..1F9F=3B7 1FA0..1FAF=3C9 1FB0..1FB4=3B1
        1FB6..1FBC=3B1 1FBE=3B9 1FC2..1FC4=3B7 1FC6..1FC7=3B7 1FC8..1FC9=3B5 1FCA..1FCC=3B7 1FD0..1FD3=3B9
        1FD6..1FDB=3B9 1FE0..1FE3=3C5 1FE4..1FE5=3C1 1FE6..1FEB=3C5 1FEC=3C1 1FF2..1FF4=3C9 1FF6..1FF7=3C9
        1FF8..1FF9=3BF 1FFA..1FFC=3C9 2126=3C9
        """

    /// Cyrillic capitals, `ё`, and the letters with a grave accent, which is the stress there. Arabic `آ أ إ ٱ`, `ؤ`, `ئ ى ی`,
    /// `ک`, and `ة ۃ ۀ ہ ۂ` for heh; `ۓ`. Letters with a nukta of which Unicode composes letter and nukta. Cherokee in upper
    /// case: the tables of `unicode61` don't have its lower case.
    private static let others = """
        400..401=435 402-40C=452 40D=438 40E-40F=45E 410-42F=430 450..451=435 45D=438 476..477=475
        622..623=627 624=648 625=627 626=64A 629=647 649=64A 671=627 6A9=643 6C0..6C3=647 6CC=64A 6D3=6D2
        929=928 931=930 934=933 1109A=11099 1109C=1109B 110AB=110A5
        13F8-13FD=13F0 AB70-ABBF=13A0
        """

    /// Letters of Hangul that are in no syllable, as the letters that people type alone: the reverse of the compatibility
    /// mappings of U+3131 to U+318E (Unicode 17.0.0).
    private static let jamo = """
        1100-1101=3131 1102=3134 1103-1105=3137 1106-1108=3141 1109-1112=3145 1114-1115=3165 111A=3140 111C=316E
        111D-111E=3171 1120=3173 1121=3144 1122-1123=3174 1127=3176 1129=3177 112B-112F=3178 1132=317D 1136=317E
        1140=317F 1147=3180 114C=3181 1157-1159=3184 1160=3164 1161-1175=314F 1184-1185=3187 1188=3189 1191-1192=318A
        1194=318C 119E=318D 11A1=318E 11AA=3133 11AC-11AD=3135 11B0-11B5=313A 11C7-11C8=3167 11CC=3169 11CE=316A
        11D3=316B 11D7=316C 11D9=316D 11DD=316F 11DF=3170 11F1-11F2=3182
        """
}
