/// An encoding of text that users name in options and in the configuration.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "utf-8"
    /// UTF-16 with a byte order mark; little-endian without one, as Windows writes it.
    case utf16 = "utf-16"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// UTF-32 with a byte order mark; little-endian without one.
    case utf32 = "utf-32"
    /// Korean: EUC-KR with the other 8,822 syllables of Windows.
    case cp949
    /// Japanese in seven bits, with escape sequences, as used on Japanese IRC.
    case iso2022JP = "iso-2022-jp"
    /// Japanese, with the additions of Windows (CP932).
    case shiftJIS = "shift_jis"
    case eucJP = "euc-jp"
    /// Chinese in simplified characters; contains GBK and GB 2312.
    case gb18030
    /// Chinese in traditional characters.
    case big5
    case big5HKSCS = "big5-hkscs"
    /// Chinese in traditional characters: CNS 11643, as on some Unix systems.
    case eucTW = "euc-tw"
    case koi8R = "koi8-r"
    case koi8U = "koi8-u"
    case windows1251 = "windows-1251"
    case cp866
    case windows1252 = "windows-1252"
    case latin1 = "iso-8859-1"
    /// Latin 1 with € and seven other replacements (ISO 8859-15).
    case latin9 = "iso-8859-15"
    case windows1250 = "windows-1250"
    case latin2 = "iso-8859-2"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case windows1257 = "windows-1257"
    case windows1258 = "windows-1258"
    case windows874 = "windows-874"
}

extension TextEncoding {
    /// Reads a name as users write it, in any case, with or without `-` and `_`: `CP949`, `euc-kr`, `sjis`, `latin1`.
    package init?(name: String) {
        let plain = Self.plain(name)
        if let encoding = Self.allCases.first(where: { Self.plain($0.rawValue) == plain }) {
            self = encoding
        } else if let encoding = Self.aliases[plain] {
            self = encoding
        } else {
            return nil
        }
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    }

    /// Other names, in the form of ``plain(_:)``.
    private static let aliases: [String: TextEncoding] = [
        "euckr": .cp949, "uhc": .cp949, "ms949": .cp949, "windows949": .cp949, "ksc5601": .cp949, "ksx1001": .cp949,
        "ksc56011987": .cp949, "jis": .iso2022JP, "sjis": .shiftJIS, "cp932": .shiftJIS, "ms932": .shiftJIS,
        "windows31j": .shiftJIS, "ujis": .eucJP, "gbk": .gb18030, "gb2312": .gb18030, "cp936": .gb18030,
        "ms936": .gb18030, "euccn": .gb18030, "cp950": .big5, "ms950": .big5, "koi8": .koi8R, "cp1251": .windows1251,
        "win1251": .windows1251, "ibm866": .cp866, "cp1252": .windows1252, "win1252": .windows1252,
        "latin1": .latin1, "l1": .latin1, "latin9": .latin9, "latin0": .latin9, "latin2": .latin2,
        "cp1250": .windows1250, "win1250": .windows1250, "cp1253": .windows1253, "cp1254": .windows1254,
        "latin5": .windows1254, "cp1255": .windows1255, "cp1256": .windows1256, "cp1257": .windows1257,
        "cp1258": .windows1258, "cp874": .windows874, "tis620": .windows874, "ucs2": .utf16, "unicode": .utf16,
    ]

    /// The names of all encodings, for people.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The usual spelling of the name, for people.
    package var title: String {
        switch self {
        case .shiftJIS: "Shift_JIS"
        case .big5: "Big5"
        case .windows1250, .windows1251, .windows1252, .windows1253, .windows1254, .windows1255, .windows1256,
            .windows1257, .windows1258, .windows874:
            "Windows" + rawValue.dropFirst("windows".count)
        default: rawValue.uppercased()
        }
    }

    /// True if a character has two or four bytes, so that text must be decoded before it is cut into lines.
    package var isWide: Bool {
        switch self {
        case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32: true
        default: false
        }
    }

    /// The encodings whose lines end with the same bytes as those of ASCII.
    package static let ofLines = allCases.filter { !$0.isWide }

    /// The name for glibc's iconv; nil for encodings that are decoded without it.
    var iconvName: String? {
        switch self {
        case .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .windows1252, .latin1, .latin9: nil
        case .cp949: "CP949"
        case .shiftJIS: "CP932"
        // ISO-2022-JP becomes EUC-JP first, see `EscapedJapanese`.
        case .eucJP, .iso2022JP: "EUC-JP-MS"
        case .windows1250, .windows1251, .windows1253, .windows1254, .windows1255, .windows1256, .windows1257,
            .windows1258:
            "CP" + rawValue.dropFirst("windows-".count)
        case .windows874: "IBM874"
        default: rawValue.uppercased()
        }
    }
}
