import Archive
import ChatModel
import Foundation

extension ExportRun {
    /// The stored files of an export with files.
    struct Files {
        var all: [ManifestLine.File] = []
        /// The paths of those that this run wrote.
        var written: [String] = []
        /// The number of files that are missing or damaged in the account's folder.
        var lost = 0
    }

    /// Copies the stored files of the exported messages; none if the request has no files.
    ///
    /// Keeps the files of an earlier run. A file's name is its hash, so a complete file never changes.
    func files() throws -> Files {
        guard request.hasFiles else { return Files() }
        let before = Dictionary(
            (earlier?.files ?? []).filter { $0.month == nil }.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        var files = Files()
        for file in try source.files(rooms: request.rooms, after: request.after, before: request.before) {
            if isStopped() { throw ExportStopped() }
            let path = ExactMessage.File.exportedPath(sha256: file.sha256)
            let line = ManifestLine.File(path: path, bytes: file.size, sha256: file.sha256, month: nil)
            if try before[path] == line && folder.size(path) == file.size || folder.digest(path)?.sha256 == file.sha256
            {
                files.all.append(line)
            } else if try copy(file, to: path) {
                files.all.append(line)
                files.written.append(path)
            } else {
                files.lost += 1
            }
        }
        return files
    }

    /// Returns false if the account's folder does not have the file as it was stored.
    private func copy(_ file: StoredFile, to path: String) throws -> Bool {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let copy = try folder.create(path)
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return false }
            guard count > 0 else { break }
            try copy.write(buffer[..<count])
            guard copy.bytes <= file.size else { return false }
            if isStopped() { throw ExportStopped() }
        }
        guard try copy.finish().sha256 == file.sha256 else {
            try folder.remove(path)
            return false
        }
        return true
    }
}
