import LogFormats
import Rendering
import Schema

/// The rules of a search through a part of a home.
struct HomeRules {
    /// The files that a search opens.
    enum Pass {
        /// Every file, in a place of a program.
        case place
        /// Files whose names are those of logs and exports.
        case likely
        /// Files whose names are of no special form.
        case possible
    }

    var pass: Pass
    let openFiles: OpenFiles
    /// The databases that were skipped because a program uses them, with the program.
    var inUse: [(path: String, program: String)] = []

    /// The positions of the files of exports that were found.
    private var taken: Set<UInt32> = []

    init(_ pass: Pass, _ openFiles: OpenFiles) {
        (self.pass, self.openFiles) = (pass, openFiles)
    }

    func opens(_ file: ImportFile) -> Bool {
        guard pass != .place, case .disk = file.place else { return true }
        let name = file.name.lastIndex(of: "/").map { file.name.index(after: $0) } ?? file.name.startIndex
        let kind = HomeName(String(file.name[name...]), in: String(file.name[..<name]))
        return kind == (pass == .likely ? .likely : .possible)
    }

    func isTaken(_ position: UInt32) -> Bool { taken.contains(position) }

    mutating func take(_ positions: [UInt32]) { taken.formUnion(positions) }

    /// Returns true if the other files of a folder that has an export belong to the export. A folder directly in the home, such
    /// as that of downloads, has files of all kinds.
    ///
    /// - Parameters:
    ///   - folder: Its path, with a `/` at its end, or empty.
    ///   - file: A file in it.
    func owns(_ folder: String, of file: ImportFile) -> Bool {
        guard case .disk = file.place, pass != .place else { return true }
        return folder.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1
    }
}

extension ImportSearch {
    /// The bytes of a file of a home that decide whether the file is read further. Exports have their keys in the first lines.
    private static let firstLook = 4096

    /// Returns true for a file of a home that is not imported: a database that a program uses, an archive of Scrollback, or
    /// a file with a name of no special form that no format claims by its first bytes.
    mutating func isSkipped(_ file: ImportFile) -> Bool {
        guard let home, case .disk = file.place else { return false }
        let path = ImportFile.join(file.container, file.name)
        guard let bytes = try? SQLiteFile.bytes(of: path, count: Self.firstLook) else { return true }
        if bytes.starts(with: SQLiteFile.magic) { return isSkippedDatabase(path, bytes) }
        guard home.pass == .possible, !file.name.hasSuffix(".gz"), !ZipDirectory.begins(bytes) else { return false }
        if !FileEncoding(ofBeginning: bytes, given: options.encoding).isUTF8 { return false }
        if case .unknown = Recognition(beginnings.log(file, bytes)) { return true }
        return false
    }

    private mutating func isSkippedDatabase(_ path: String, _ header: [UInt8]) -> Bool {
        guard !AccountFileMark.isAccount(header: header) else { return true }
        guard let program = home?.openFiles.user(of: path) else { return false }
        // A folder's search may come to a file twice.
        if home?.inUse.contains(where: { $0.path == path }) == false { home?.inUse.append((path, program)) }
        return true
    }

    /// Returns true if a folder of a home is an export, whose first file has the format. Other folders may have files of
    /// these names.
    mutating func isHomesExport(_ first: Int, of format: any LogFormat.Type) -> Bool {
        guard home != nil else { return true }
        var file = sources.found[first]
        guard !format.isOwnExport, !isSkipped(file), let beginning = try? beginnings.read(&file) else {
            return false
        }
        return format.recognises(beginnings.log(file, beginning))
    }

    /// Searches the files that the walk finds below a folder. Returns false if there are too many files, and some were left
    /// out.
    @discardableResult
    mutating func find(inHome root: String, _ walk: HomeWalk, passes: [HomeRules.Pass]) -> Bool {
        let start = sources.found.count
        var isWhole = true
        do { try sources.found.addFiles(inHome: root, walk) { _ in } } catch { isWhole = false }
        // An archive among the files adds its own.
        let files = start..<sources.found.count
        for pass in passes {
            home?.pass = pass
            addFolder(files, in: "", depth: 0)
        }
        return isWhole
    }

    /// Searches one file, such as a database at the place of its program.
    mutating func find(fileOfHome path: String, size: Int64) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let (folder, name) = (String(path[..<slash]), path[slash...].dropFirst())
        let start = sources.found.count
        guard (try? sources.found.addContainer(folder, isArchive: false)) != nil,
            let number = try? sources.found.addFolder(""),
            (try? sources.found.addFile(name.utf8, in: number, at: size)) != nil
        else { return }
        addFolder(start..<sources.found.count, in: "", depth: 0)
    }

    /// The limit of files that are examined for their kind.
    private static let maximumExamined = 20

    /// The number of files of a place that can't be read, that no format reads, or that several claim; and the reason for the
    /// first, or its kind. Nil if there is none.
    var leftFiles: (count: Int, reason: String)? {
        let count = unrecognised.count + report.skipped.count + report.unreported.count
        guard count > 0 else { return nil }
        let kind = unrecognised.prefix(Self.maximumExamined).lazy.compactMap { position -> String? in
            var file = sources.found[Int(position)]
            return beginnings.unsupportedKind(of: &file).flatMap { $0.isMedia ? nil : $0.noun }
        }.first
        let reason = report.unreported.groups.first?.reason ?? kind ?? report.skipped.groups.first?.reason
        return (count, reason ?? "unrecognised format")
    }

    /// Returns a search with some of the sources, which go into one account.
    ///
    /// - Parameters:
    ///   - network: The network of a database; nil for other sources.
    ///   - isStopped: Returns true if work with the part should stop.
    func part(
        _ indices: [Int], account: String?, network: String?, isStopped: @escaping @Sendable () -> Bool
    ) -> ImportSearch {
        var options = options
        options.choices.network = network
        var part = ImportSearch(options: options, report: ImportReport(isRehearsal: true), isStopped: isStopped)
        part.sources = sources.part(indices)
        part.alteredRooms = alteredRooms.compactMap { altered in
            indices.firstIndex(of: altered.source).map { (altered.room, $0) }
        }
        if let account { part.note(account: account) }
        return part
    }
}
