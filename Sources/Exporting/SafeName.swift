import Bytes
import ChatModel
import FoundationEssentials
import Rendering

/// Names of folders that are valid on every file system: those of Linux, Windows, macOS, FAT and eCryptfs.
///
/// Keeps the letters of every script. No two names of one value are the same on a file system that ignores case.
struct SafeName {
    /// The names that are taken, as a file system that ignores case compares them.
    private var taken: Set<String> = []

    /// 120 bytes of UTF-8: eCryptfs allows 143 and all others 255. Leaves room for a number and an extension.
    static let longest = 120

    /// Invalid on Windows and FAT; `/` on all.
    private static let invalid: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    /// Devices of Windows, with every extension ("Naming Files, Paths, and Namespaces", Microsoft Learn).
    private static let devices = Set(
        ["CON", "PRN", "AUX", "NUL"] + (["COM", "LPT"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }))
    /// The beginnings of the export's own files: `index.2.html`, `manifest.jsonl`, `account.jsonl`.
    private static let ownFiles = ["index", "manifest", "account", "accounts"]
    /// The folders of an export's files.
    private static let ownFolders = [ExactMessage.File.exportedFolder, CopyName.folder]

    /// Marks a name as taken.
    mutating func take(_ name: String) {
        taken.insert(Self.folded(name))
    }

    /// Returns a free folder name for a room or an account, and marks it as taken. A second `#Example` is `#Example-2`.
    mutating func folder(for name: String, otherwise: String) -> String {
        let plain = Self.plain(name)
        let first = plain.isEmpty ? otherwise : plain
        var (result, number) = (first, 2)
        while !taken.insert(Self.folded(result)).inserted {
            result = "\(first)-\(number)"
            number += 1
        }
        return result
    }

    /// Returns the name without what a file system refuses; empty if nothing is left.
    private static func plain(_ name: String) -> String {
        let text = part(name, bytes: longest)
        let stem = text.prefix { $0 != "." }
        let isReserved =
            devices.contains(stem.uppercased()) || text != stem && ownFiles.contains(stem.lowercased())
            || ownFolders.contains(text.lowercased())
        return isReserved ? "_" + text : text
    }

    /// Returns a text as a part of a name, without what a file system refuses; empty if nothing is left.
    ///
    /// - Parameter bytes: The limit in bytes of UTF-8.
    static func part(_ name: String, bytes: Int) -> String {
        // Hostile code points, such as direction overrides, are replaced as well as control characters.
        let shown = Sanitizer.line(name.composed)
        var scalars = String.UnicodeScalarView(shown.unicodeScalars.map { invalid.contains($0) ? "_" : $0 })
        if scalars.first == "." { scalars.replaceSubrange(scalars.startIndex...scalars.startIndex, with: ["_"]) }
        return trimmed(cut(trimmed(String(scalars)), to: bytes))
    }

    /// Windows drops dots and spaces at the end, and shells lose a space at the beginning.
    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == " " }
        let end = start.lastIndex { $0 != " " && $0 != "." }
        return end.map { String(start[...$0]) } ?? ""
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        var bytes = 0
        return String(
            text.prefix { character in
                bytes += character.utf8.count
                return bytes <= limit
            })
    }

    private static func folded(_ name: String) -> String {
        name.decomposed.uppercased().lowercased()
    }
}
