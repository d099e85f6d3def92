import ChatModel
import Exporting
import FoundationEssentials
import LogFormats
import Rendering

// The files of folders and ZIP archives.
extension ImportSearch {
    /// The limit of folder levels within a container. No known program exceeds it.
    private static let maximumDepth = 32

    mutating func look(in folder: String) throws {
        let start = sources.found.count
        try find(in: folder)
        if isStopped() { throw ImportStopped() }
        try addAll(from: start, in: folder)
    }

    private mutating func find(in folder: String) throws {
        var report = report
        defer { self.report = report }
        try ImportError.naming(folder) {
            try sources.found.addFiles(inFolder: folder, isStopped: isStopped) { name in
                report.skip(
                    ImportFile(container: folder, name: name, size: 0), reason: "link out of the folder",
                    hint: "to import its target, name the link")
            } trouble: { name, error in
                report.fail(ImportError(error, of: name.isEmpty ? folder : ImportFile.join(folder, name)))
            }
        }
    }

    mutating func lookInArchive(_ path: String) throws {
        let start = sources.found.count
        let names = try ImportError.naming(path) {
            try sources.found.addFiles(inArchive: path, encoding: options.encoding)
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
        addFolder(files, in: "", depth: 0)
        if isStopped() { throw ImportStopped() }
        if sources.count == count, report.troubles == troubles { throw nothingFound(in: files, of: container) }
    }

    /// The limit of files that are examined for the reason why none can be imported.
    private static let maximumExamined = 100

    /// Returns the error for a folder or archive without a file that can be imported. Names the first of its files that
    /// another program wrote.
    private func nothingFound(in files: Range<Int>, of container: String) -> ImportError {
        let reason = files.isEmpty ? "the folder or archive is empty" : "none of its files has a known format"
        for position in unrecognised.map(Int.init).filter(files.contains).prefix(Self.maximumExamined) {
            var file = sources.found[position]
            guard let kind = beginnings.unsupportedKind(of: &file), !kind.isMedia else { continue }
            return ImportError(
                .importSource, Sanitizer.line(container),
                "\(reason); \(Sanitizer.line(file.name)) is \(kind.what)", hint: kind.advice)
        }
        return ImportError(
            .importSource, Sanitizer.line(container), reason, hint: "known formats: \(KnownLogFormats.names)")
    }

    /// - Parameters:
    ///   - files: All files of the folder.
    ///   - folder: Its path, with a `/` at its end, or empty for the container's own.
    mutating func addFolder(_ files: Range<Int>, in folder: String, depth: Int) {
        if addExport(files, in: folder) { return }
        var rest = files
        while let first = rest.first, !isStopped() {
            guard depth < Self.maximumDepth, let inner = sources.found.inner(of: first, below: folder) else {
                let end = sources.found.endOfShape(of: first, among: rest)
                guard home?.opens(sources.found[first]) ?? true else {
                    rest = end..<rest.upperBound
                    continue
                }
                let usual = beginnings.usualFormat(of: first..<end, in: sources.found)
                for index in first..<end where !isStopped() { addFound(index, usual: usual) }
                rest = end..<rest.upperBound
                continue
            }
            let end = sources.found.end(of: inner, among: rest)
            addFolder(first..<end, in: inner, depth: depth + 1)
            rest = end..<rest.upperBound
        }
    }

    /// Adds a folder as one source if it is an export of several files. Returns true if it is.
    private mutating func addExport(_ files: Range<Int>, in folder: String) -> Bool {
        guard let (format, own) = export(of: files, in: folder), isHomesExport(files.lowerBound + own[0], of: format)
        else { return false }
        let places = own.map { UInt32(files.lowerBound + $0) }
        let ownsFolder = home?.owns(folder, of: sources.found[files.lowerBound]) ?? true
        if home?.isTaken(places[0]) == true { return ownsFolder }
        sources.addExport(places, in: folder, as: format)
        if own.count == 1 {
            var file = sources.found[files.lowerBound + own[0]]
            if let beginning = try? file.beginning(isStopped: isStopped) {
                noteAccount(of: beginnings.log(file, beginning), format)
            }
        }
        if home?.take(places) != nil { return ownsFolder }
        var isTaken = [Bool](repeating: false, count: files.count)
        for place in own { isTaken[place] = true }
        for (index, isTaken) in zip(files, isTaken) where !isTaken {
            let file = sources.found[index]
            // Messages name the files of an export with files by their hashes.
            if format.isOwnExport, file.name.hasPrefix(folder + ExactMessage.File.exportedFolder + "/") {
                continue
            }
            if format.saysNothing(file.name.dropFirst(folder.count)) { continue }
            guard format.isOwnExport, file.name == folder + ManifestLine.fileName else {
                unrecognised.append(UInt32(index))
                continue
            }
            let manifest = ExportManifest.ends(of: file, isStopped: isStopped)
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

    /// Adds a file that was found; skips it when its format is unknown or uncertain.
    ///
    /// - Parameter usual: The text format of IRC that files with names like this one have; nil if there is none.
    private mutating func addFound(_ index: Int, usual: (any LogFormat.Type)?) {
        var file = sources.found[index]
        guard home?.isTaken(UInt32(index)) != true, !isSkipped(file) else { return }
        do {
            let beginning = try beginnings.read(&file)
            if beginning.isEmpty { return report.skipEmpty(file) }
            if ExportCollection.isList(file, beginning) { return }
            if case .disk = file.place, file.name.lowercased().hasSuffix(".zip"), ZipDirectory.begins(beginning) {
                return try lookInArchive(ImportFile.join(file.container, file.name))
            }
            if let format = options.format {
                // Pictures and other binary files have NUL bytes, as does a log whose disk was full for some time.
                guard !beginning.contains(0) || format.recognises(beginnings.log(file, beginning)) else {
                    return unrecognised.append(UInt32(index))
                }
                return try addFoundSource(index, file, beginning, as: format)
            }
            switch Recognition(beginnings.log(file, beginning)) {
            case .sure(let format):
                try addFoundSource(index, file, beginning, as: format.isTextOfIRC ? usual ?? format : format)
            case .unsure(let formats, _) where formats.contains { $0 == usual }:
                if let usual { try addFoundSource(index, file, beginning, as: usual) }
            case .unsure(let formats, let doubt): report.skip(file, reason: Self.unsure(formats, doubt))
            case .unknown where file.isBesideDatabase: break
            case .unknown: unrecognised.append(UInt32(index))
            }
        } catch let error as ImportError where error.code == .importSource {
            report.skip(file, reason: error.reason)
        } catch is ImportStopped {
            return
        } catch {
            report.fail(error as? ImportError ?? ImportError(.input, file.shown, "\(error)", hint: nil))
        }
    }

    private mutating func addFoundSource(
        _ index: Int, _ file: ImportFile, _ beginning: [UInt8], as format: any LogFormat.Type
    ) throws {
        let source = beginnings.log(file, beginning)
        guard !format.isProgramsOwn(source.name) else { return report.skipOwn(file, of: format.name) }
        if options.format == nil, let fuller = format.fullerFile(beside: source.name),
            let other = self.file(fuller, beside: index)
        {
            if format.isFuller(other, than: source) { return report.skipCopy(file, of: fuller) }
            report.note("\(file.shown): read, because \(Sanitizer.line(fuller)) lacks its first messages")
        }
        guard home == nil || !format.isOwnExport else { return }
        // A home's search imports each network into an account of its own.
        if home == nil { try beginnings.checkNetwork(of: file, beginning, format) }
        sources.addFound(index, file, as: format)
        noteAccount(of: source, format)
    }

    /// Returns the file with a name in the folder of a file that was found; nil if there is none. The beginning of one
    /// that can't be read is empty.
    private func file(_ name: String, beside index: Int) -> LogSource? {
        let folder = String(decoding: sources.found.folder(of: index), as: UTF8.self)
        let place = sources.found.position(of: folder + name, in: sources.found[index].container)
        guard var file = place.map({ sources.found[$0] }) else { return nil }
        let beginning = try? beginnings.read(&file)
        return beginnings.log(file, beginning ?? [])
    }
}

extension ExportCollection {
    /// Returns true for the list of an export of several accounts, whose folders are imported one by one.
    fileprivate static func isList(_ file: ImportFile, _ beginning: [UInt8]) -> Bool {
        guard file.name == fileName || file.name.hasSuffix("/" + fileName) else { return false }
        return (try? JSONDecoder().decode(ExportCollection.self, from: Data(beginning))) != nil
    }
}

extension ExportManifest {
    /// Returns a manifest's header, and true if the manifest ends with a trailer. Compares nothing else; the command
    /// `verify` does.
    fileprivate static func ends(
        of file: ImportFile, isStopped: @escaping () -> Bool
    ) -> (header: ManifestLine.Header?, isFinished: Bool) {
        guard let bytes = try? file.open(isStopped: isStopped) else { return (nil, false) }
        var cutter = LineCutter(maximumLine: maximumLine)
        var (first, last): (LogLine?, LogLine?)
        while let chunk = try? bytes.next(), !chunk.isEmpty {
            cutter.cutLines(chunk) { (first, last) = (first ?? $0, $0) }
        }
        func line(_ line: LogLine?) -> ManifestLine? {
            line.flatMap { try? JSONDecoder().decode(ManifestLine.self, from: Data($0.bytes)) }
        }
        let header = if case .export(let header)? = line(first) { header } else { nil as ManifestLine.Header? }
        let isFinished = if case .trailer? = line(last) { true } else { false }
        return (header, isFinished)
    }
}
