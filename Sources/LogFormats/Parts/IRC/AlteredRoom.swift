import Bytes
import ChatModel

/// Finds the rooms whose names a program had to alter for the names of its files, such as `#Mix/ed` for `#mix_ed.log`.
extension LogFormat {
    /// Returns the form of a room's name in the path of its log; nil if the path has the name itself, or none of its forms.
    package static func alteredName(of room: String, in path: String) -> String? {
        let whole = path.lowercased()
        for form in namesInFiles(of: room) where form.lowercased() != room.lowercased() {
            guard let range = whole.firstRange(of: form.lowercased()) else { continue }
            let offset = whole.distance(from: whole.startIndex, to: range.lowerBound)
            return String(path.dropFirst(offset).prefix(form.count))
        }
        return nil
    }

    /// Returns the room of a log whose own lines name it, if the path has another form of the name; nil otherwise.
    package static func alteredRoom(of source: LogSource) -> String? {
        guard mayNameRoom(source), var reader = try? Self(source) else { return nil }
        for (index, line) in IRCLog.eachLine(of: source.beginning).enumerated() {
            guard case .message(let message) = reader.parseLine(LogLine(number: index + 1, bytes: line)) else {
                continue
            }
            return alteredName(of: message.room, in: source.path) == nil ? nil : message.room
        }
        return nil
    }

    /// The limit of names that are compared with a path.
    private static var mostNames: Int { 100 }
    /// The limit of bytes of a room's name: 50 on most networks, 200 in RFC 1459.
    private static var longestName: Int { 200 }

    /// Returns true if a word of the log is a channel's name, and the path has another form of it.
    private static func mayNameRoom(_ source: LogSource) -> Bool {
        guard !namesInFiles(of: "#").isEmpty else { return false }
        var (rest, count) = (source.beginning[...], 0)
        while count < mostNames, let start = rest.firstIndex(of: UInt8(ascii: "#")) {
            let word = rest[start...].prefix(longestName).prefix { $0 > Byte.space && $0 != Byte.listEnd }
            rest = rest[word.endIndex...]
            guard word.dropFirst().contains(where: isAltered) else { continue }
            if alteredName(of: String(decoding: word, as: UTF8.self), in: source.path) != nil { return true }
            count += 1
        }
        return false
    }

    /// Returns true for a byte that a program may not write in a file's name.
    private static func isAltered(_ byte: UInt8) -> Bool { byte >= 0x80 || "/\\|*?\"<>:%.".utf8.contains(byte) }
}
