package import ChatModel
import Exporting
import Foundation
import LogFormats
import Rendering

/// Finds the sources of an import, and their formats.
package struct ImportSearch {
    /// The limit of folder levels within a container. No known program exceeds it.
    private static let maximumDepth = 32

    /// The options. ``setAccount(_:)`` completes them.
    package private(set) var options: ImportOptions
    /// The report, with the files that were skipped or can't be read.
    package var report: ImportReport
    /// The network of the account in a full export, if a source has one.
    package private(set) var network: String?
    /// The accounts or networks that the sources name, at most ``maximumNames``.
    package private(set) var accountNames: [String] = []
    /// The sources found so far, in order.
    package private(set) var sources = ImportSources()

    /// The found files of no known format, by their positions. Messages may name them.
    private(set) var unrecognised: [UInt32] = []

    /// The limit of named accounts: more than an error message lists.
    private static let maximumNames = 4

    package init(options: ImportOptions, report: ImportReport) {
        (self.options, self.report) = (options, report)
    }

    /// The found formats, for people; empty if the format was given.
    package var summary: String { options.format == nil ? report.found(sources) : "" }

    /// Finds the sources at a path. Reports a path that does not exist or is not recognised.
    package mutating func find(_ path: String) {
        do {
            try look(at: path)
        } catch let error as ImportError {
            report.fail(error)
        } catch {
            report.fail(ImportError(.input, Sanitizer.line(path), "\(error)", hint: nil))
        }
    }

    private mutating func look(at path: String) throws {
        guard path != "-" else { return try add(given: ImportFile(pipe: 0, name: "-")) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw ImportError(UnreadableBytes(errno: errno), of: path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try look(in: path)
        case S_IFREG where ImportFile.isArchive(path) && !ImportFile.isPackedDocument(path): try lookInArchive(path)
        case S_IFREG: try add(given: ImportFile(container: "", name: path, size: Int64(status.st_size)))
        default: try add(given: ImportFile(pipe: ImportFile.descriptor(of: path), name: path))
        }
    }

    /// Adds a file that a person named. It must have the given format or a recognised one.
    private mutating func add(given file: ImportFile) throws {
        var file = file
        let beginning = try unicodeBeginning(of: &file)
        if let format = options.format { return try add(file, beginning, as: format) }
        if beginning.isEmpty {
            report.skipEmpty(file)
            return report.note("\(file.shown): empty file")
        }
        switch Recognition(log(file, beginning)) {
        case .sure(let format):
            try add(file, beginning, as: format)
        case .unsure(let formats, let doubt):
            let names = formats.map { $0.name }.joined(separator: ", ")
            throw ImportError(
                .importSource, file.shown, Self.unsure(formats, doubt),
                hint: "to choose one: scrollback import FORMAT FILE (\(names))")
        case .unknown:
            if let kind = file.unsupportedKind(beginning) { throw ImportError(kind, of: file) }
            throw ImportError(
                .importSource, file.shown, Self.unknown,
                hint: table(log(file, beginning), file.name)
                    ?? "to force one: scrollback import FORMAT FILE (\(KnownLogFormats.names))")
        }
    }

    private mutating func add(_ file: ImportFile, _ beginning: [UInt8], as format: any LogFormat.Type) throws {
        try checkNetwork(of: file, beginning, format)
        sources.add(file, as: format)
        noteAccount(of: log(file, beginning), format)
    }

    private mutating func noteAccount(of source: LogSource, _ format: any LogFormat.Type) {
        network = network ?? format.account(in: source)?.network
        if let name = format.accountName(in: source) { note(account: name) }
    }

    private mutating func note(account name: String) {
        guard accountNames.count < Self.maximumNames, !accountNames.contains(name) else { return }
        accountNames.append(name)
    }

    private mutating func add(
        found index: Int, _ file: ImportFile, _ beginning: [UInt8], as format: any LogFormat.Type
    ) throws {
        try checkNetwork(of: file, beginning, format)
        sources.add(found: index, file, as: format)
        noteAccount(of: log(file, beginning), format)
    }

    private mutating func look(in folder: String) throws {
        let start = sources.found.count
        try find(in: folder)
        try addAll(from: start, in: folder)
    }

    private mutating func find(in folder: String) throws {
        var report = report
        defer { self.report = report }
        try ImportError.naming(folder) {
            try sources.found.add(folder: folder) { name, error in
                report.fail(ImportError(error, of: name.isEmpty ? folder : ImportFile.join(folder, name)))
            }
        }
    }

    private mutating func lookInArchive(_ path: String) throws {
        let start = sources.found.count
        let names = try ImportError.naming(path) {
            try sources.found.add(archive: path, encoding: options.encoding)
        }
        if let names { report.note("\(Sanitizer.line(path)): names of files \(FileEncoding.text(names))") }
        try addAll(from: start, in: path)
    }

    /// Adds the files of the folder or archive that was found last.
    ///
    /// - Throws: ``ImportError`` if nothing in it can be imported and nothing else was reported.
    private mutating func addAll(from start: Int, in container: String) throws {
        let (count, troubles) = (sources.count, report.troubles)
        let files = start..<sources.found.count
        add(files, in: "", depth: 0)
        if sources.count == count, report.troubles == troubles {
            let shown = Sanitizer.line(container)
            throw ImportError(
                .importSource, shown,
                files.isEmpty ? "the folder or archive is empty" : "none of its files has a known format",
                hint: "known formats: \(KnownLogFormats.names)")
        }
    }

    /// - Parameters:
    ///   - files: All files of the folder.
    ///   - folder: Its path, with a `/` at its end, or empty for the container's own.
    private mutating func add(_ files: Range<Int>, in folder: String, depth: Int) {
        if add(export: files, in: folder) { return }
        var rest = files
        while let first = rest.first {
            guard depth < Self.maximumDepth, let inner = sources.found.inner(of: first, below: folder) else {
                rest.removeFirst()
                add(found: first)
                continue
            }
            let end = sources.found.end(of: inner, among: rest)
            add(first..<end, in: inner, depth: depth + 1)
            rest = end..<rest.upperBound
        }
    }

    /// Adds a folder as one source if it is an export of several files. Returns true if it is.
    private mutating func add(export files: Range<Int>, in folder: String) -> Bool {
        guard let (format, own) = export(of: files, in: folder) else { return false }
        sources.add(export: own.map { UInt32(files.lowerBound + $0) }, in: folder, as: format)
        if own.count == 1 {
            var file = sources.found[files.lowerBound + own[0]]
            if let beginning = try? file.beginning() { noteAccount(of: log(file, beginning), format) }
        }
        var isTaken = [Bool](repeating: false, count: files.count)
        for place in own { isTaken[place] = true }
        for (index, isTaken) in zip(files, isTaken) where !isTaken {
            let file = sources.found[index]
            // Messages name the files of an export with files by their hashes.
            if format == JSONLinesFormat.self, file.name.hasPrefix(folder + ExactMessage.File.exportedFolder + "/") {
                continue
            }
            guard format == JSONLinesFormat.self, file.name == folder + ManifestLine.fileName else {
                unrecognised.append(UInt32(index))
                continue
            }
            let manifest = ExportManifest.ends(of: file)
            network = network ?? manifest.header?.network
            if let name = manifest.header?.account { note(account: name) }
            if !manifest.isFinished, let shown = sources.last?.shown {
                report.note("\(shown): the export is incomplete; importing the part that is there")
            }
        }
        return true
    }

    private func export(
        of files: Range<Int>, in folder: String
    ) -> (format: any LogFormat.Type, files: [Int])? {
        let found = sources.found
        let names = files.lazy.map { found.name(of: $0).below(folder) }
        for format in options.format.map({ [$0] }) ?? KnownLogFormats.all {
            if let own = format.files(among: names), !own.isEmpty { return (format, own) }
        }
        return nil
    }

    private static let unknown = "unrecognised format"

    private static func unsure(_ formats: [any LogFormat.Type], _ doubt: String?) -> String {
        "unsure of the format: it may be " + formats.map { $0.name }.joined(separator: " or ")
            + (doubt.map { ", but \($0)" } ?? "")
    }

    /// Adds a file that was found; skips it when its format is unknown or uncertain.
    private mutating func add(found index: Int) {
        var file = sources.found[index]
        do {
            let beginning = try unicodeBeginning(of: &file)
            if beginning.isEmpty { return report.skipEmpty(file) }
            if case .disk = file.place, file.name.lowercased().hasSuffix(".zip"), ZipDirectory.begins(beginning) {
                return try lookInArchive(ImportFile.join(file.container, file.name))
            }
            if let format = options.format {
                // Pictures and other binary files have NUL bytes, as does a log whose disk was full for some time.
                guard !beginning.contains(0) || format.recognises(log(file, beginning)) else {
                    return unrecognised.append(UInt32(index))
                }
                return try add(found: index, file, beginning, as: format)
            }
            switch Recognition(log(file, beginning)) {
            case .sure(let format): try add(found: index, file, beginning, as: format)
            case .unsure(let formats, let doubt): report.skip(file, reason: Self.unsure(formats, doubt))
            case .unknown where file.isBesideDatabase: break
            case .unknown: unrecognised.append(UInt32(index))
            }
        } catch let error as ImportError where error.code == .importSource {
            report.skip(file, reason: error.reason)
        } catch {
            report.fail(error as? ImportError ?? ImportError(.input, file.shown, "\(error)", hint: nil))
        }
    }

    private func unicodeBeginning(of file: inout ImportFile) throws -> [UInt8] {
        let beginning = try file.beginning()
        return FileEncoding(ofBeginning: beginning, given: options.encoding).decoded(beginning: beginning)
    }

    func log(_ file: ImportFile, _ beginning: [UInt8]) -> LogSource {
        var source = LogSource(
            path: file.unpackedPath, beginning: Array(beginning.prefix(LogSource.beginningSize)), room: options.room,
            zone: options.zone)
        source.choices = options.choices
        return source
    }

    /// Skips the files of no known format, except those that messages name.
    ///
    /// - Parameter isNamed: Returns true for the position of a file that a message names.
    package mutating func skipUnrecognised(isNamed: (Int) -> Bool = { _ in false }) {
        for position in unrecognised where !isNamed(Int(position)) {
            var file = sources.found[Int(position)]
            if let format = options.format {
                report.skip(file, reason: "not \(format.name)")
            } else {
                let beginning = (try? unicodeBeginning(of: &file)) ?? []
                if let kind = file.unsupportedKind(beginning) {
                    report.skip(file, reason: kind.noun, hint: kind.advice)
                } else if let table = table(log(file, beginning), "FILE") {
                    report.skip(file, reason: "table whose columns are not named", hint: table)
                } else {
                    report.skip(file, reason: Self.unknown)
                }
            }
        }
        unrecognised = []
    }

    /// Sets the account into which everything is imported.
    ///
    /// - Parameter owner: The name of the account's own person, unless the options have one; nil if it is unknown.
    package mutating func setAccount(_ account: AccountIdentity, owner: String? = nil) {
        options.folding = NameFolding(network: account.network)
        options.me = options.me ?? owner
    }
}

extension KnownLogFormats {
    /// The names of all formats, for people.
    package static var names: String { all.map { $0.name }.joined(separator: ", ") }
}

extension ExportManifest {
    /// Returns a manifest's header, and true if the manifest ends with a trailer. Compares nothing else; the command
    /// `verify` does.
    fileprivate static func ends(of file: ImportFile) -> (header: ManifestLine.Header?, isFinished: Bool) {
        guard let next = try? file.open(isStopped: { false }) else { return (nil, false) }
        var cutter = LineCutter(maximumLine: maximumLine)
        var (first, last): (LogLine?, LogLine?)
        while let bytes = try? next(), !bytes.isEmpty {
            cutter.read(bytes) { (first, last) = (first ?? $0, $0) }
        }
        func line(_ line: LogLine?) -> ManifestLine? {
            line.flatMap { try? JSONDecoder().decode(ManifestLine.self, from: Data($0.bytes)) }
        }
        let header = if case .export(let header)? = line(first) { header } else { nil as ManifestLine.Header? }
        let isFinished = if case .trailer? = line(last) { true } else { false }
        return (header, isFinished)
    }
}
