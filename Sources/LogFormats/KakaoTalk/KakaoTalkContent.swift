import Bytes

/// The content of a KakaoTalk message.
///
/// A photo, video, emoticon or voice message whose file the export does not name is a text, the word that stands for
/// it: `사진`, `사진 3장`, `Photo`.
enum KakaoTalkContent {
    case text
    /// The name of the file that the message is.
    case file(ArraySlice<UInt8>)
    case deleted

    /// - Parameter text: The text of all its lines.
    init(_ text: ArraySlice<UInt8>) {
        if Self.deletions.contains(where: { $0.count == text.count && text.elementsEqual($0) }) {
            self = .deleted
        } else {
            self = Self.file(in: text).map { .file($0) } ?? .text
        }
    }

    private static let deletions = [
        "삭제된 메시지입니다.", "삭제된 메시지입니다", "This message was deleted.", "This message was deleted",
    ].map { Array($0.utf8) }
    private static let titles = ["파일: ", "파일 : ", "File: "]

    /// The longest name of a file, in bytes: 255 on common file systems, and the words before it.
    private static let longestFile = 300

    /// Returns the name in `파일: report.pdf` or `File: report.pdf`, or a text that is the name of an exported photo.
    private static func file(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.count <= longestFile else { return nil }
        if let title = titles.first(where: { text.starts(with: $0) }) {
            let name = text.dropFirst(title.utf8.count)
            return hasExtension(name) ? name : nil
        }
        return isPhoto(text) ? text : nil
    }

    /// Returns true for a name such as `report.pdf`, on one line.
    private static func hasExtension(_ name: ArraySlice<UInt8>) -> Bool {
        guard let point = name.lastIndex(of: Byte.dot), point > name.startIndex, !name.contains(Byte.lineFeed) else {
            return false
        }
        let ending = name[(point + 1)...]
        return (1...5).contains(ending.count) && ending.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) }
    }

    /// Returns true for 32 or more hexadecimal digits with an extension: the name that Android gives to a photo or
    /// video when it exports it beside the text.
    private static func isPhoto(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.prefix { Byte.hexadecimal($0) != nil }
        return digits.count >= 32 && text[digits.endIndex...].first == Byte.dot && hasExtension(text)
            && text.count - digits.count <= 6
    }
}
