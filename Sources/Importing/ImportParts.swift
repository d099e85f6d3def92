import LogFormats

/// The logs of several files, each a numbered part: `Talk_2026.8.7 13:01-1.txt`, `Talk_2026.8.7 13:01-2.txt`.
struct ImportParts: Sendable {
    /// The place of a part's file in the list of its kind.
    enum Place: Sendable {
        case given(UInt32), found(UInt32)
    }

    private struct Part: Sendable {
        var number: Int
        var place: Place
    }

    private struct Key: Hashable {
        var folder: String
        var log: String
    }

    /// The parts of each log in the order of their numbers.
    private var logs: [[Part]] = []
    private var places: [Key: Int] = [:]

    /// The limit of logs, at about 200 bytes each: more rooms than anybody exports. Each part of the logs after them is
    /// a log of its own.
    private static let maximumLogs = 10_000

    /// The result of adding a file.
    enum Addition {
        /// The file begins a log at this position.
        case begun(Int)
        /// The file belongs to a log that was added before.
        case joined
    }

    /// Adds a file if it is a part of a log; nil if it is not, or if its log has a part of that number.
    mutating func add(_ file: ImportFile, at place: Place, as format: any LogFormat.Type) -> Addition? {
        let (folder, name) = file.folderAndName
        guard let (log, number) = format.part(of: name) else { return nil }
        let key = Key(folder: folder, log: log)
        guard let known = places[key] else {
            guard logs.count < Self.maximumLogs else { return nil }
            places[key] = logs.count
            logs.append([Part(number: number, place: place)])
            return .begun(logs.count - 1)
        }
        let index = logs[known].firstIndex { $0.number >= number } ?? logs[known].endIndex
        guard index == logs[known].endIndex || logs[known][index].number != number else { return nil }
        logs[known].insert(Part(number: number, place: place), at: index)
        return .joined
    }

    /// Returns the places of a log's parts, in order.
    subscript(_ log: Int) -> [Place] { logs[log].map(\.place) }
}

extension ImportFile {
    /// The path of the file's folder, as if its archive were a folder, and its name.
    fileprivate var folderAndName: (folder: String, name: String) {
        let path = unpackedPath
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }
}
