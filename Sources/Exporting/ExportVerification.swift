import ChatModel
import FoundationEssentials
import Rendering

/// A check of an export against its manifest: its files must be complete and unchanged.
package struct ExportVerification {
    /// The faults in the manifest's order; at most ``limit``.
    package private(set) var faults: [String] = []
    /// The number of all faults.
    package private(set) var faultCount = 0
    /// The files in the folder that don't belong to the export; at most ``limit``.
    package private(set) var others: [String] = []
    /// The number of all files that don't belong to the export.
    package private(set) var otherCount = 0

    /// The limit of faults, and of other files, that are listed.
    package static let limit = 20

    /// The manifest; nil for the index of an export of several accounts.
    package let manifest: ExportManifest?
    /// The name of the export's format.
    let format: String
    /// True if the export was finished, as far as that can be known.
    package let isFinished: Bool

    /// Reads all files of the export.
    ///
    /// - Parameter progress: Called after each file.
    /// - Throws: ``ExportError`` if the folder has no manifest, or a file can't be read.
    package init(of folder: ExportFolder, progress: (_ bytes: Int64, _ total: Int64) -> Void = { _, _ in }) throws {
        guard let manifest = try ExportManifest.read(in: folder) else {
            throw ExportError(
                .export, "\(folder.shown) is not an export (no \(ManifestLine.fileName))",
                hint: "check the folder")
        }
        self.manifest = manifest
        format = manifest.header.format
        isFinished = manifest.trailer != nil || manifest.fault != nil
        if let fault = manifest.fault { add("\(ManifestLine.fileName): \(fault)") }
        if manifest.fault == nil { checkTrailer(of: manifest) }
        let total = manifest.files.reduce(Int64(0)) { $0.adding($1.bytes) }
        var done: Int64 = 0
        for file in manifest.files {
            try check(file, in: folder)
            done = done.adding(file.bytes)
            progress(done, total)
        }
        findOthers(in: folder, known: Set(manifest.files.map(\.path) + [ManifestLine.fileName]), folders: [])
    }

    /// Reads the files of a collection's index; the exports of its accounts are verified on their own.
    package init(index collection: ExportCollection, of folder: ExportFolder) throws {
        (manifest, format, isFinished) = (nil, collection.format, collection.files != nil)
        let files = collection.files ?? []
        if collection.files == nil { add("\(ExportCollection.fileName): the export is not finished") }
        for file in files { try check(file, in: folder) }
        findOthers(
            in: folder, known: Set(files.map(\.path) + [ExportCollection.fileName]),
            folders: Set(collection.accounts.map(\.folder)))
    }

    /// True if all files in the manifest exist unchanged, and the export is finished.
    package var isValid: Bool { faultCount == 0 }

    private mutating func add(_ fault: String) {
        faultCount += 1
        if faults.count < Self.limit { faults.append(fault) }
    }

    private mutating func checkTrailer(of manifest: ExportManifest) {
        guard let trailer = manifest.trailer else {
            return add("\(ManifestLine.fileName): it has no trailer, so the export is not finished")
        }
        let messages = manifest.files.reduce(0) { $0.adding($1.month?.messages ?? 0) }
        guard trailer.files == manifest.files.count, trailer.messages == messages,
            trailer.gaps == manifest.gaps.count(where: { $0.purged == nil })
        else { return add("\(ManifestLine.fileName): the trailer has other counts than the lines") }
    }

    private mutating func check(_ file: ManifestLine.File, in folder: ExportFolder) throws {
        let name = Sanitizer.line(file.path)
        guard let found = try folder.digest(file.path) else { return add("\(name): it is missing") }
        if found.bytes != file.bytes {
            add("\(name): it has \(found.bytes.grouped) bytes, not \(file.bytes.grouped)")
        } else if found.sha256 != file.sha256 {
            add("\(name): it was changed after the export")
        }
    }

    /// - Parameters:
    ///   - known: The paths of the export's files.
    ///   - folders: The folders that belong to it with all files.
    private mutating func findOthers(in folder: ExportFolder, known: Set<String>, folders: Set<String>) {
        folder.eachFile(enters: { !folders.contains($0) }) { path in
            guard !known.contains(path) else { return }
            otherCount += 1
            if others.count < Self.limit { others.append(path) }
        }
    }
}
