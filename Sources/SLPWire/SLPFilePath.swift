import Bytes

/// The path of a file, as far as one may be asked for.
///
/// A message's files are what its sender says, and a call for a path may have effects: reading a channel's history joins it. So
/// none of the service's own calls is asked for as a file, however it is written.
package struct SLPFilePath: Sendable, Hashable {
    /// Below the base, with a slash at its beginning, escaped or not as it was given.
    package let path: String

    /// What the paths of all calls begin with (``SLPRoute``).
    private static let calls = ["auth", "users", "workspaces"]

    /// - Parameters:
    ///   - given: As a message or a profile has it: a path below the base, or a URL.
    ///   - base: `https://chat.example.net/v1`
    /// - Returns: nil for what is on another server, or is no file.
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
            guard form.count > 1, form[0] == UInt8(ascii: "/"), !Self.climbs(form), !Self.isCall(form) else {
                return nil
            }
        }
        self.path = String(path)
    }

    /// Whether a segment is `.` or `..`, or empty but for the last; some servers take `\` for a slash.
    private static func climbs(_ path: [UInt8]) -> Bool {
        let segments = path.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        return segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
            || segments.dropFirst().dropLast().contains(where: \.isEmpty) || path.contains(0)
    }

    /// Servers may take letters of either case, and what follows `?` or `;` for no part of the path.
    private static func isCall(_ path: [UInt8]) -> Bool {
        let first = path.dropFirst().prefix { !"/\\?;#".utf8.contains($0) }
        return calls.contains(String(decoding: first, as: UTF8.self).lowercased())
    }

    /// Percent signs that don't stand before two hexadecimal digits stay.
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
