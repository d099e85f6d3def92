import ChatModel
import Rendering

/// Finds, counts and stores the files that messages name beside their export.
struct ImportedFiles {
    /// The number of files that are stored, or would be stored by a dry run, and their bytes.
    private(set) var stored = 0
    private(set) var bytes: Int64 = 0
    /// The files that were not stored, by reason.
    private(set) var lost = FileGroups()
    /// The stored files whose messages may not be stored yet, by their SHA-256.
    private var kept: [String: (path: String, count: Int, size: Int64)] = [:]
    /// The pictures of people and rooms that were looked for, by the source's folder and the path in it; nil for one that is
    /// not stored.
    private var pictures: [String: (sha256: String, size: Int64)?] = [:]
    /// The limit of ``kept`` and of ``pictures``: 2 MB each.
    private static let keptLimit = 10_000
    /// The files of the import; true for those that a message names.
    private var named: [Bool] = []

    /// Returns true if a message names the file at this position.
    func isNamed(_ position: Int) -> Bool { position < named.count && named[position] }

    /// Stores the files of a message, and notes their hashes in it.
    ///
    /// - Parameter source: The file that has the message.
    /// - Throws: ``ImportStopped``; an error of storing. A file that can't be read is counted.
    mutating func add(
        filesOf message: inout ImportedMessage, from source: ImportFile, in beside: FilesBeside,
        as treatment: ImportRun.FileTreatment, isStopped: @escaping () -> Bool
    ) async throws {
        for index in message.files.indices {
            let path = message.files[index].path
            let found = beside.find(message.files[index], beside: source)
            message.files[index].copies = nil
            if treatment.isWanted {
                switch found {
                case .file, .address: break
                case .missing: lost.add(Sanitizer.line(path), reason: "not beside the export")
                case .refused: lost.add(Sanitizer.line(path), reason: "the path leads out of the export or to no file")
                }
            }
            guard let kept = try await keep(found, path, of: beside, as: treatment, isStopped) else { continue }
            (message.files[index].sha256, message.files[index].size) = kept
        }
        message.facts = try await withFiles(message.facts, from: source, in: beside, as: treatment, isStopped)
        for index in message.exact?.files.indices ?? 0..<0 {
            guard let path = message.exact?.files[index].exportedPath else { continue }
            message.exact?.files[index].sha256 = nil
            // Most full exports are without files.
            let found = beside.find(path, beside: source)
            guard let kept = try await keep(found, path, of: beside, as: treatment, isStopped) else { continue }
            message.exact?.files[index].sha256 = kept.sha256
            message.exact?.files[index].bytes = kept.size
        }
    }

    /// Stores the pictures of the sender and the room. Many messages have the same ones, and a source that has only
    /// their addresses lacks no file.
    private mutating func withFiles(
        _ facts: ImportedFacts?, from source: ImportFile, in beside: FilesBeside, as treatment: ImportRun.FileTreatment,
        _ isStopped: @escaping () -> Bool
    ) async throws -> ImportedFacts? {
        guard var facts else { return nil }
        for place in [\ImportedFacts.picture, \.roomPicture] as [WritableKeyPath<ImportedFacts, ImportedMessage.File?>]
        {
            guard var picture = facts[keyPath: place] else { continue }
            let name = ([source.root] + source.folderParts + [picture.path]).joined(separator: "/")
            if pictures[name] == nil {
                let found = beside.find(picture, beside: source)
                let new = try await keep(found, picture.path, of: beside, as: treatment, isStopped)
                if pictures.count >= Self.keptLimit { pictures = [:] }
                pictures.updateValue(new, forKey: name)
            }
            if let known = pictures[name] ?? nil { (picture.sha256, picture.size) = known }
            picture.copies = nil
            facts[keyPath: place] = picture
        }
        return facts
    }

    private mutating func keep(
        _ found: FilesBeside.Found, _ path: String, of beside: FilesBeside, as treatment: ImportRun.FileTreatment,
        _ isStopped: @escaping () -> Bool
    ) async throws -> (sha256: String, size: Int64)? {
        guard case .file(let file, let position) = found else { return nil }
        if let position { note(position, of: beside.found.count) }
        switch treatment {
        case .ignore: return nil
        case .count:
            stored += 1
            return nil
        case .store(let store, _):
            do {
                let new = try await store { try file.open(isStopped: isStopped).next }
                (stored, bytes) = (stored + 1, bytes + new.size)
                kept[new.sha256, default: (path, 0, new.size)].count += 1
                return new
            } catch let error as ImportError {
                lost.add(error.file, reason: error.reason)
                return nil
            }
        }
    }

    /// True if there are so many files that their messages should be stored first.
    var isFull: Bool { kept.count >= Self.keptLimit }

    /// Removes the files that no message has, although all messages so far are stored or refused.
    mutating func drop(by drop: ImportRun.DropFiles) async throws {
        guard !kept.isEmpty else { return }
        for file in try await drop(kept.keys.sorted()) {
            guard let (path, count, size) = kept[file] else { continue }
            (stored, bytes) = (stored - count, bytes - Int64(count) * size)
            lost.add(Sanitizer.line(path), reason: "no stored message has it")
        }
        kept = [:]
    }

    private mutating func note(_ position: Int, of count: Int) {
        if named.isEmpty { named = Array(repeating: false, count: count) }
        named[position] = true
    }

    /// Returns the lines for people; empty if no message names a file.
    func text(isRehearsal: Bool) -> String {
        var text = ""
        if stored > 0 {
            text =
                isRehearsal
                ? "  \(stored.of("file")) beside the export\n"
                : "  \(stored.of("file")) beside the export stored (\(ByteCount(bytes)))\n"
        }
        for group in lost.groups {
            text += "  \(group.count.of("file")) not stored (\(group.reason)): \(group.files)\n"
        }
        return text
    }
}
