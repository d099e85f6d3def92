import Bytes

/// Finds rooms in the names of files and folders.
enum RoomName {
    /// Returns `#example` for `#example_2026-11-21.log`, `user_network_#example_20261121.log` and
    /// `2026-11-21.#example.raw.txt`.
    static func inFileName(_ name: String) -> String? { inStem(stem(of: name)) }

    /// Returns the channel in a file's name that lacks its date and extensions.
    static func inStem(_ stem: String) -> String? {
        let marked = stem.indices.first { isMark(stem[$0]) && mayBegin(at: $0, in: stem) }
        guard let start = marked ?? (isOtherChannel(stem) ? stem.startIndex : nil) else { return nil }
        let room = stem[start...].prefix { !" ,:".contains($0) }
        return isOnlyMarks(room) ? nil : String(room)
    }

    /// Returns false for `&` within a word, as in `R&D`.
    private static func mayBegin(at index: String.Index, in stem: String) -> Bool {
        stem[index] == "#" || index == stem.startIndex || "-_. /".contains(stem[stem.index(before: index)])
    }

    /// Returns a stem if it may be a person's name or a network's; nil for an empty one, the `#` of `#2026-11-21.log` or
    /// a part of a date, such as `27`. No nick begins with a digit (RFC 2812 §2.3.1).
    static func person(_ stem: String) -> String? {
        guard !isOnlyMarks(stem) else { return nil }
        return stem.allSatisfy { $0.isASCII && $0.isNumber || "-_.".contains($0) } && stem.first.map(\.isNumber) ?? true
            ? nil : stem
    }

    /// Returns the innermost folder that is named like a channel.
    static func inFolders(_ folders: [String]) -> String? {
        folders.last { isChannel($0) && $0.count > 1 }
    }

    static func isChannel(_ name: String) -> Bool { name.first.map(isMark) ?? false }

    /// Returns true for `+example` and `!ABCDEexample` (RFC 2811 §2.1); no nick begins so. A number with `+` is a telephone.
    static func isOtherChannel(_ name: String) -> Bool {
        guard let mark = name.first, mark == "+" || mark == "!" else { return false }
        return name.dropFirst().first?.isLetter ?? false
    }

    /// Returns true for `#`, `##` and an empty name, which no channel has.
    static func isOnlyMarks(_ name: some StringProtocol) -> Bool { name.allSatisfy(isMark) }

    private static func isMark(_ character: Character) -> Bool { character == "#" || character == "&" }

    private static let endings = [".log", ".txt", ".raw", ".weechatlog", ".csv", ".tsv", ".jsonl"]

    /// Returns the name without its date, its extensions and the mark of an older copy: `#example` for
    /// `#example_2026-11-21.log`, `#example.log.1` and `#example.log.old`. Percent codes, as Circe and libpurple write them, are decoded.
    static func stem(of name: String) -> String {
        var stem = original(name)
        if let date = NamedDate(in: stem) { stem.removeSubrange(range(of: date, in: stem)) }
        while let ending = endings.first(where: { stem.lowercased().hasSuffix($0) }) {
            stem.removeLast(ending.count)
        }
        return PercentCode.decode(String(stem.drop { "-_. ".contains($0) }))
    }

    /// Returns the range of a date; with all that follows it in `#example_2026-11-21_libera.txt`, as LimeChat 2 names
    /// logs.
    private static func range(of date: NamedDate, in name: String) -> Range<String.Index> {
        let (before, rest) = (name[..<date.range.lowerBound], name[date.range.upperBound...])
        let isBetween = name[date.range].hasPrefix("_") && rest.hasPrefix("_")
        return date.range.lowerBound..<(isBetween && isChannel(String(before)) ? name.endIndex : date.range.upperBound)
    }

    private static let copies = [".old", ".bak", "~"]

    /// Returns `#example.log` for `#example.log.1`, `#example.log.old`, `#example.log.bak` and `#example.log~`.
    private static func original(_ name: String) -> String {
        var whole = name[...]
        if let copy = copies.first(where: name.hasSuffix) {
            whole = name.dropLast(copy.count)
        } else {
            let number = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
            guard (1...3).contains(number), name.dropLast(number).last == "." else { return name }
            whole = name.dropLast(number + 1)
        }
        return endings.contains { whole.lowercased().hasSuffix($0) } ? String(whole) : name
    }
}
