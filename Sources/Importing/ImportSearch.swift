package import ChatModel
import Exporting
import Foundation
import LogFormats
import Rendering

/// Finds what is to be imported, and as what.
package struct ImportSearch {
    /// Deeper ones are of no program that we know.
    private static let maximumDepth = 32

    package private(set) var options: ImportOptions
    private var limit = FileLimit()
    package var report: ImportReport
    /// Of the account that was exported, where a source tells.
    package private(set) var network: String?
    package private(set) var sources: [ImportSource] = []

    package init(options: ImportOptions, report: ImportReport) {
        (self.options, self.report) = (options, report)
    }

    /// For people: what was recognised, and what was not.
    package var told: String { (options.format == nil ? report.found(sources) : "") + report.leftOut }

    /// What is at a path. What is not found or not recognised is told, and counted by the report.
    package mutating func find(_ path: String) {
        do {
            try look(at: path)
        } catch let error as ImportError {
            report.complain(error)
        } catch {
            report.complain(ImportError(.input, "\(Sanitizer.line(path)): \(error)", hint: nil))
        }
    }

    private mutating func look(at path: String) throws {
        guard path != "-" else { return try add(given: ImportFile(pipe: 0, name: "-")) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw ImportError(UnreadableBytes(errno: errno), of: path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try look(in: path)
        case S_IFREG where ImportFile.isArchive(path): try lookInArchive(path)
        case S_IFREG: try add(given: ImportFile(container: "", name: path, size: Int64(status.st_size)))
        default: try add(given: ImportFile(pipe: ImportFile.descriptor(of: path), name: path))
        }
    }

    /// A file that was named is what its format, or one of them, reads, or it is an error.
    private mutating func add(given file: ImportFile) throws {
        var file = file
        let beginning = try file.beginning()
        if let format = options.format { return add(file, beginning, as: format) }
        if beginning.isEmpty { return report.note("\(file.shown): it is empty") }
        switch recognised(file, beginning) {
        case .sure(let format):
            add(file, beginning, as: format)
        case .unsure(let format, let doubt):
            throw ImportError(
                .importSource, "\(file.shown): \(Self.unsure(format, doubt))",
                hint:
                    "to import it as \(format.name), name that before it: scrollback import \(format.name) \(file.shown)"
            )
        case .unknown:
            throw ImportError(
                .importSource, "\(file.shown): it is of no known format",
                hint: "name one before it: \(KnownLogFormats.names)")
        }
    }

    private mutating func add(_ file: ImportFile, _ beginning: [UInt8], as format: any LogFormat.Type) {
        sources.append(ImportSource(file, as: format))
        network = network ?? format.account(in: log(file, beginning))?.network
    }

    private mutating func look(in folder: String) throws {
        let found = try ImportError.naming(folder) { try FolderFiles(in: folder, limit: &limit) }
        for (name, error) in found.troubles {
            report.complain(ImportError(error, of: name.isEmpty ? folder : ImportFile.join(folder, name)))
        }
        try add(all: found.files.map { ImportFile(container: folder, name: $0.name, size: $0.size) }, in: folder)
    }

    private mutating func lookInArchive(_ path: String) throws {
        let entries = try ImportError.naming(path) { try ZipDirectory.entries(of: path, limit: &limit) }
        let files = entries.lazy.filter { !$0.isHidden }.map { ImportFile(container: path, entry: $0) }
        try add(all: Array(files), in: path)
    }

    /// What there is in a folder or an archive.
    ///
    /// - Throws: ``ImportError`` where none of it can be imported, and nothing else was said of it.
    private mutating func add(all files: [ImportFile], in container: String) throws {
        let (sources, troubles) = (sources.count, report.troubles)
        let sorted = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        add(sorted[...], in: "", depth: 0)
        if self.sources.count == sources, report.troubles == troubles {
            let shown = Sanitizer.line(container)
            throw ImportError(
                .importSource,
                files.isEmpty ? "\(shown): there is no file in it" : "\(shown): no file in it is of a known format",
                hint: "what can be read: \(KnownLogFormats.names)")
        }
    }

    /// - Parameters:
    ///   - files: In order of name, all of one folder.
    ///   - folder: Its path, with a `/` at its end, or empty for the container's own.
    private mutating func add(_ files: ArraySlice<ImportFile>, in folder: String, depth: Int) {
        if let export = export(of: files, in: folder) { return add(export, of: files, in: folder) }
        var rest = files
        while let first = rest.first {
            let name = first.name.below(folder).utf8
            guard let slash = name.firstIndex(of: UInt8(ascii: "/")), depth < Self.maximumDepth else {
                rest.removeFirst()
                add(found: first)
                continue
            }
            let inner = folder + String(decoding: name[...slash], as: UTF8.self)
            let end = rest.firstIndex { !$0.name.utf8.starts(with: inner.utf8) } ?? rest.endIndex
            add(rest[..<end], in: inner, depth: depth + 1)
            rest = rest[end...]
        }
    }

    private mutating func add(_ export: ImportSource, of files: ArraySlice<ImportFile>, in folder: String) {
        let taken = Set(export.files.map(\.name))
        for file in files where !taken.contains(file.name) {
            guard export.format == JSONLinesFormat.self, file.name == folder + ManifestLine.fileName else {
                report.skip(file)
                continue
            }
            let manifest = ExportManifest.ends(of: file)
            network = network ?? manifest.header?.network
            if !manifest.isFinished {
                report.note("\(export.shown): the export is not finished; what is there of it is imported")
            }
        }
        sources.append(export)
    }

    /// Where a folder is one export of several files.
    private func export(of files: ArraySlice<ImportFile>, in folder: String) -> ImportSource? {
        let names = files.map { $0.name.below(folder) }
        for format in options.format.map({ [$0] }) ?? KnownLogFormats.all {
            guard let own = format.files(among: names), !Self.areBelow(own) else { continue }
            let places = Dictionary(zip(names, files.indices)) { first, _ in first }
            let files = own.compactMap { name in places[name].map { files[$0] } }
            if !files.isEmpty { return ImportSource(export: files, in: folder, as: format) }
        }
        return nil
    }

    /// Whether one inner folder has all of them: the export is that, and what is beside it something else.
    private static func areBelow(_ names: [String]) -> Bool {
        let folders = Set(names.map { $0.contains("/") ? $0.split(separator: "/").first : nil })
        return folders.count == 1 && !folders.contains(nil)
    }

    private static func unsure(_ format: any LogFormat.Type, _ doubt: String) -> String {
        "unsure of the format: it may be \(format.name)'s, but \(doubt)"
    }

    /// A file that was found is skipped where it is of no format, or where that is not sure.
    private mutating func add(found file: ImportFile) {
        var file = file
        do {
            let beginning = try file.beginning()
            if beginning.isEmpty { return }
            if case .disk = file.place, file.name.lowercased().hasSuffix(".zip"), ZipDirectory.begins(beginning) {
                return try lookInArchive(ImportFile.join(file.container, file.name))
            }
            if let format = options.format {
                // Pictures and the like have it, and a log whose disk was full for a while.
                guard !beginning.contains(0) || format.recognises(log(file, beginning)) else {
                    return report.skip(file, reason: "it has zero bytes, and its beginning is not \(format.name)'s")
                }
                return add(file, beginning, as: format)
            }
            switch recognised(file, beginning) {
            case .sure(let format): add(file, beginning, as: format)
            case .unsure(let format, let doubt): report.skip(file, reason: Self.unsure(format, doubt))
            case .unknown: report.skip(file)
            }
        } catch let error as ImportError where error.code == .importSource {
            report.skip(file, reason: error.detail)
        } catch {
            report.complain(error as? ImportError ?? ImportError(.input, "\(file.shown): \(error)", hint: nil))
        }
    }

    private enum Recognition {
        case sure(any LogFormat.Type)
        /// Another program may have written it, for this reason.
        case unsure(any LogFormat.Type, String)
        case unknown
    }

    private func recognised(_ file: ImportFile, _ beginning: [UInt8]) -> Recognition {
        let source = log(file, beginning)
        guard let format = KnownLogFormats.all.first(where: { $0.recognises(source) }) else { return .unknown }
        return format.doubt(about: source).map { .unsure(format, $0) } ?? .sure(format)
    }

    private func log(_ file: ImportFile, _ beginning: [UInt8]) -> LogSource {
        LogSource(
            path: file.unpackedPath, beginning: Array(beginning.prefix(LogSource.beginningSize)), room: options.room,
            zone: options.zone)
    }

    /// The account that all of it goes to, once that is known.
    package mutating func settle(on account: AccountIdentity) {
        options.folding = NameFolding(network: account.network)
    }
}

extension KnownLogFormats {
    /// For people.
    package static var names: String { all.map { $0.name }.joined(separator: ", ") }
}

extension ExportManifest {
    /// How a manifest begins, and whether it ends with a trailer. What is in it is compared with nothing: `verify` does.
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
