import FoundationEssentials

/// A file of a Signal export.
struct SignalFile {
    /// The path in the export's folder, or the file's name if the export lacks the file.
    let path: String
    let size: Int64?
    /// False if the export has only the name.
    let isThere: Bool

    /// - Parameter pointer: The `FilePointer` of Signal's Backup.proto.
    init(_ pointer: JSONValue) throws(UnreadablePiece) {
        let (name, type) = (try pointer.text("fileName"), try pointer.text("contentType") ?? "")
        let locator = try pointer.object("locatorInfo")
        size = try locator?.scalar("size")?.integer
        if let hash = try locator?.text("plaintextHash").flatMap({ Data(base64Encoded: $0) }), !hash.isEmpty,
            let key = try locator?.text("localKey").flatMap({ Data(base64Encoded: $0) }), !key.isEmpty
        {
            let stem = SHA256.hexadecimal(Array(hash) + Array(key))
            let ending = Self.ending(name ?? "", type).map { ".\($0)" } ?? ""
            (path, isThere) = ("files/\(stem.prefix(2))/\(stem)\(ending)", true)
        } else {
            (path, isThere) = (ExportText.name(name, type) ?? "file", false)
        }
    }

    /// Returns the extension that Signal Desktop gives a file: that of its name, or else that of its media type.
    private static func ending(_ name: String, _ type: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.dropLast() != [""], let last = parts.last, isEnding(last) { return String(last) }
        if type == "text/x-signal-plain" { return "txt" }
        let prefixes = ["application/x-", "application/", "audio/", "image/", "text/x-", "video/"]
        guard let prefix = prefixes.first(where: type.hasPrefix) else { return nil }
        let rest = type.dropFirst(prefix.count)
        return isEnding(rest) ? String(rest) : nil
    }

    /// Returns true for at most 32 letters, digits, `_`, `+`, `.` and `-`, with a letter or a digit at both ends.
    private static func isEnding(_ text: Substring) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, bytes.count <= 32 else { return false }
        return isPlain(first) && isPlain(last) && bytes.allSatisfy { isPlain($0) || "_+.-".utf8.contains($0) }
    }
}
