import Bytes
import Glibc

/// A time zone: an offset from UTC, or the rules of a zone in the system's files.
package struct Zone: Sendable {
    private enum Rules: Sendable {
        case offset(Int)
        case file(ZoneFile)
    }

    /// The name in the tz database, such as `Europe/Berlin`; `GMT` or `GMT+0900` for an offset.
    package let identifier: String
    private let rules: Rules

    package static let gmt = Zone(identifier: "GMT", rules: .offset(0))

    private init(identifier: String, rules: Rules) {
        (self.identifier, self.rules) = (identifier, rules)
    }

    /// - Parameter seconds: Up to 18 hours east or west, as in ISO 8601.
    /// - Returns: Nil for a larger offset.
    package init?(secondsFromGMT seconds: Int) {
        guard abs(seconds) <= 18 * 3600 else { return nil }
        self.init(identifier: Self.name(ofOffset: seconds), rules: .offset(seconds))
    }

    /// Finds a zone of the tz database, or reads an offset such as `GMT+9`, `UTC` or `GMT-0330`, which is east when it
    /// is positive.
    ///
    /// - Returns: Nil for an unknown name, and if the system has no file of the zone.
    package init?(identifier: String) {
        if let seconds = Self.offset(named: identifier) {
            self.init(secondsFromGMT: seconds)
        } else {
            guard Self.isName(identifier), let file = Self.file(Self.folder + "/" + identifier) else { return nil }
            self.init(identifier: identifier, rules: .file(file))
        }
    }

    /// Reads the rules from any file of that format.
    ///
    /// - Returns: Nil if it can't be read or has another format.
    package init?(file path: String, identifier: String) {
        guard let file = Self.file(path) else { return nil }
        self.init(identifier: identifier, rules: .file(file))
    }

    /// Returns the seconds by which local time is ahead of UTC.
    ///
    /// - Parameter second: Seconds since 1970-01-01 UTC.
    package func secondsFromGMT(at second: Int64) -> Int {
        switch rules {
        case .offset(let seconds): seconds
        case .file(let file): file.offset(at: second)
        }
    }

    /// Returns the seconds by which local time is ahead of UTC.
    package func secondsFromGMT(at time: Timestamp = .now()) -> Int {
        let (second, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return secondsFromGMT(at: rest < 0 ? second - 1 : second)
    }

    /// The folder of the system's files: `TZDIR`, as for the C library.
    package static let folder: String = {
        guard let folder = getenv("TZDIR"), folder.pointee != 0 else { return "/usr/share/zoneinfo" }
        return String(cString: folder)
    }()

    /// False on a system without the tz database.
    package static var hasFiles: Bool { access(folder, X_OK) == 0 }

    /// 64 KiB. The largest file of the tz database has 4 KB.
    private static let maximumSize = 1 << 16

    private static func file(_ path: String) -> ZoneFile? {
        (try? FileBeginning.read(path, limit: maximumSize)).flatMap { ZoneFile($0) }
    }

    /// Returns true for names of zones, whose parts begin with a capital. No other file of the folder does, and nothing
    /// outside it has such a path.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count < 64
            && name.utf8.split(separator: Byte.slash, omittingEmptySubsequences: false).allSatisfy { part in
                part.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
                    && part.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) || "_+-".utf8.contains($0) }
            }
    }

    /// Returns the name of an offset, to the nearest minute.
    private static func name(ofOffset seconds: Int) -> String {
        let minutes = (abs(seconds) + 30) / 60
        guard minutes > 0 else { return "GMT" }
        func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "GMT" + (seconds < 0 ? "-" : "+") + digits(minutes / 60) + digits(minutes % 60)
    }

    private static func offset(named name: String) -> Int? {
        guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
        let rest = name.dropFirst(3)
        guard !rest.isEmpty else { return 0 }
        guard let match = rest.wholeMatch(of: /([+-])(?:([0-9]{1,2})(?:[:.]([0-9]{2}))?|([0-9]{2})([0-9]{2}))/),
            let hours = (match.2 ?? match.4).flatMap({ Int($0) }), hours <= 18,
            let minutes = Int(match.3 ?? match.5 ?? "0"), minutes < 60
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

extension Zone: Hashable {
    package static func == (a: Zone, b: Zone) -> Bool { a.identifier == b.identifier }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
