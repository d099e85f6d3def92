import Bytes

/// The path of a file that may be requested.
///
/// Senders choose the paths of their messages' files, and a request may have effects: reading a channel's history joins
/// it. So paths of the service's own calls are invalid, in any spelling.
package struct SLPFilePath: Sendable, Hashable {
    /// The path below the base, with a slash at its beginning, escaped or not, as given.
    package let path: String

    /// The beginnings of the paths of all calls (``SLPRoute``).
    private static let calls = ["auth", "users", "workspaces"]

    /// - Parameters:
    ///   - given: A path below the base, or a URL, from a message or a profile.
    ///   - base: The base, for example `https://chat.example.net/v1`.
    /// - Returns: Nil for a file on another server, and for a call.
    package init?(_ given: String, base: String) {
        var path = given[...]
        if given.contains("://") {
            guard given.utf8.starts(with: (base + "/").utf8) else { return nil }
            path = given.dropFirst(base.count)
        } else if !given.utf8.starts(with: "/".utf8) {
            path = "/" + path
        }
        // Some servers decode twice.
        let once = Self.decoded(Array(path.utf8))
        for form in [Array(path.utf8), once, Self.decoded(once)] {
            guard form.count > 1, form[0] == UInt8(ascii: "/"), !Self.hasRelativeSegment(form), !Self.isCall(form)
            else {
                return nil
            }
        }
        self.path = String(path)
    }

    /// Returns true if a segment is `.` or `..`, or is empty and not the last. Some servers treat `\` as a slash.
    private static func hasRelativeSegment(_ path: [UInt8]) -> Bool {
        let segments = path.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        return segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
            || segments.dropFirst().dropLast().contains(where: \.isEmpty) || path.contains(0)
    }

    /// Returns true if the path is a call. Servers may ignore case, and what follows `?` or `;`.
    private static func isCall(_ path: [UInt8]) -> Bool {
        let first = path.dropFirst().prefix { !"/\\?;#".utf8.contains($0) }
        return calls.contains(String(decoding: first, as: UTF8.self).lowercased())
    }

    /// Decodes percent signs before two hexadecimal digits. Other percent signs stay.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Byte.hexadecimal(bytes[index + 1]),
                let low = Byte.hexadecimal(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
