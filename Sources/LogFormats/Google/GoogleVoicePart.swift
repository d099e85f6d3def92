import Bytes
import ChatModel

/// The facts in a part of a page of Google Voice: a message, or everything before the first one.
struct GoogleVoicePart {
    private(set) var time: String?
    private(set) var people: [String] = []
    private(set) var numbers: [String] = []
    private(set) var isOwn = false
    private(set) var text = ""
    private(set) var transcript: String?
    private(set) var files: [String] = []
    /// The labels of a call, in small letters: `placed`, `received`, `missed`, `voicemail`.
    private(set) var labels: Set<String> = []
    /// The length of a call.
    private(set) var seconds: Int64 = 0
    let flags: MessageFlags
    /// True in a link to a person's number, in which the person's name stands.
    private var isInNumber = false

    /// More people, files and labels than a page has.
    private static let maximum = 200

    private enum Place { case other, name, own, text, transcript }

    init(_ bytes: ArraySlice<UInt8>) {
        flags = LogText(bytes).flags
        var scanner = HTMLScanner(bytes)
        var place = Place.other
        while let token = scanner.next() {
            switch token {
            case .opening(let tag): place = read(tag) ?? (tag.isVoid || place == .text ? place : .other)
            case .closing(let name):
                if name.elementsEqual("a".utf8) { isInNumber = false }
                if place != .text || name.elementsEqual("q".utf8) { place = .other }
            case .text(let bytes):
                let words = HTMLText(bytes).string
                switch place {
                case .other: break
                case .name:
                    if let name = ExportText.name(words.trimmedOfBlanks), people.count < Self.maximum {
                        people.append(name)
                    }
                case .own: isOwn = true
                case .text: text += words
                case .transcript: transcript = (transcript ?? "") + words
                }
            }
        }
    }

    /// Reads a tag, and returns the meaning of the text behind it; nil for a tag without a meaning.
    private mutating func read(_ tag: HTMLTag) -> Place? {
        let kind = tag.attribute("class") ?? ""
        switch String(decoding: tag.name, as: UTF8.self) {
        case "q": return .text
        case "br": if !text.isEmpty { text += "\n" }
        case "abbr":
            if kind == "dt" || kind == "published" { time = tag.attribute("title") ?? time }
            if kind == "duration" { seconds = Self.seconds(tag.attribute("title") ?? "") }
            if kind == "fn" { return .own }
        case "span":
            if kind == "fn", isInNumber { return .name }
            if kind == "full-text" { return .transcript }
        case "a":
            let address = tag.attribute("href") ?? ""
            if kind == "tel" { isInNumber = true }
            // A short number has no +, and a message by mail has an address of mail.
            if kind == "tel", address.hasPrefix("tel:"), address != "tel:", numbers.count < Self.maximum {
                numbers.append(String(address.dropFirst("tel:".count)))
            }
            if let label = address.split(separator: "voice#").dropFirst().first, labels.count < Self.maximum {
                labels.insert(label.lowercased())
            }
            if kind == "video" || kind == "vcard" || kind == "audio" { addFile(address) }
        case "img": addFile(tag.attribute("src") ?? "")
        case "audio": addFile(tag.attribute("src") ?? "")
        default: break
        }
        return nil
    }

    private mutating func addFile(_ path: String) {
        guard !path.isEmpty, files.count < Self.maximum, let path = ExportText.name(path) else { return }
        files.append(path)
    }

    /// Reads `PT1H2M35S`; 0 for another text.
    private static func seconds(_ text: String) -> Int64 {
        var (total, number): (Int64, Int64) = (0, 0)
        for byte in text.utf8.dropFirst(2) {
            switch byte {
            case UInt8(ascii: "H"): (total, number) = (total + number * 3600, 0)
            case UInt8(ascii: "M"): (total, number) = (total + number * 60, 0)
            case UInt8(ascii: "S"): (total, number) = (total + number, 0)
            case let digit where Byte.isDigit(digit) && number < 1_000_000:
                number = number * 10 + Int64(digit - Byte.zero)
            default: return 0
            }
        }
        return total
    }
}
