import ChatModel
import FoundationEssentials

extension ExportRun {
    /// Removes what earlier runs left in the folder and this export does not have: the files of the earlier manifest, and
    /// files with names of an export that no manifest lists, because a run was interrupted. Other files stay.
    ///
    /// - Parameter names: The paths of the export's files.
    func removeLeftovers(_ names: Set<String>) throws {
        guard let earlier else { return }
        for file in earlier.files where !names.contains(file.path) { try folder.remove(file.path) }
        for path in unlisted(names) { try folder.remove(path) }
    }

    /// Returns the paths of files with names of an export that are not among these. Leaves out other exports within the
    /// folder.
    private func unlisted(_ names: Set<String>) -> [String] {
        var found: [String] = []
        folder.eachFile(enters: { folder.size("\($0)/\(ManifestLine.fileName)") == nil }) { path in
            if !names.contains(path), Self.isOwn(path, request.format) { found.append(path) }
        }
        return found
    }

    /// Returns true if a path has the form of an export's month, index page or copy of a stored file, also while the file
    /// is not finished.
    static func isOwn(_ path: String, _ format: any ExportFormat.Type) -> Bool {
        let end = ExportFile.unfinished("")
        let path = path.hasSuffix(end) ? path.dropLast(end.count) : path[...]
        if path.wholeMatch(of: /attachments\/[0-9a-f]{2}\/[0-9a-f]{62}/) != nil { return true }
        if path.wholeMatch(of: /files\/[^\/]+-[0-9a-f]{16}\.[a-z0-9]+/) != nil { return true }
        guard path.hasSuffix("." + format.fileExtension) else { return false }
        let stem = path.dropLast(format.fileExtension.count + 1)
        return stem.wholeMatch(of: /(.+\/)?index(\.[0-9]+)?|.+\/[0-9]{4}-[0-9]{2}(\.[0-9]+)?/) != nil
    }
}
