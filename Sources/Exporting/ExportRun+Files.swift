import ChatModel
import Reading
import Rendering

extension ExportRun {
    /// The stored files of an export with files.
    struct Files {
        var all: [ManifestLine.File] = []
        /// The paths of those that this run wrote.
        var written: [String] = []
        /// The hashes of files that are missing or damaged in the account's folder.
        var lost: Set<String> = []
        /// The files for documents that name them.
        var exported = ExportedFiles()
    }

    /// Copies the stored files of the exported messages; none if the request has no files. Documents are written
    /// afterwards, so that they name no file that could not be copied.
    ///
    /// Keeps the files of an earlier run. A file's name has its hash, so a complete file never changes.
    func files() throws -> Files {
        guard request.hasFiles else { return Files() }
        let before = Dictionary(
            (earlier?.files ?? []).filter { $0.month == nil }.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        var files = Files()
        // The paths of one content.
        var (hash, paths): (String?, Set<String>) = (nil, [])
        // Only pages show pictures of people.
        let stored = try source.files(
            rooms: request.rooms, after: request.after, before: request.before,
            withPictures: request.format == HTMLExport.self)
        for file in stored {
            if isStopped() { throw ExportStopped() }
            let type = request.format.isExact ? nil : PictureType(path: file.path)
            let path = path(of: file, type)
            if hash != file.sha256 { (hash, paths) = (file.sha256, []) }
            // Several addresses may have the same name.
            guard paths.insert(path).inserted else { continue }
            let line = ManifestLine.File(path: path, bytes: file.size, sha256: file.sha256, month: nil)
            if try before[path] == line && folder.size(path) == file.size || folder.digest(path)?.sha256 == file.sha256
            {
                files.all.append(line)
            } else if try copy(file, to: path) {
                files.all.append(line)
                files.written.append(path)
            } else {
                files.lost.insert(file.sha256)
                continue
            }
            if !request.format.isExact { files.exported.copied.updateValue(type, forKey: file.sha256) }
        }
        return files
    }

    private func path(of file: StoredFile, _ type: PictureType?) -> String {
        request.format.isExact
            ? ExactMessage.File.exportedPath(sha256: file.sha256)
            : CopyName.path(sha256: file.sha256, name: file.name, type: type)
    }

    /// Returns false if the account's folder does not have the file as it was stored.
    private func copy(_ file: StoredFile, to path: String) throws -> Bool {
        guard let stored = StoredBytes(path: file.path) else { return false }
        let copy = try folder.create(path)
        while true {
            if isStopped() { throw ExportStopped() }
            guard let bytes = try? stored.read(Self.chunk) else { return false }
            guard !bytes.isEmpty else { break }
            try copy.write(bytes)
            guard copy.bytes <= file.size else { return false }
        }
        guard try copy.finish().sha256 == file.sha256 else {
            try folder.remove(path)
            return false
        }
        return true
    }

    private static let chunk = 256 * 1024
}
