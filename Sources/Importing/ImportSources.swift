package import LogFormats
import Rendering

/// The files of a source, each created on demand.
struct ImportFiles: RandomAccessCollection, Sendable {
    private var given: [ImportFile] = []
    private var found: FoundFiles?
    private var places: [UInt32] = []

    init(_ files: [ImportFile]) {
        given = files
    }

    /// - Parameter places: Positions in `found`.
    init(_ places: [UInt32], of found: FoundFiles) {
        (self.places, self.found) = (places, found)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { found == nil ? given.count : places.count }

    subscript(position: Int) -> ImportFile { found.map { $0[Int(places[position])] } ?? given[position] }
}

/// The sources of an import, in order: files that were given, files that were found, logs in parts, and exports of
/// several files.
package struct ImportSources: RandomAccessCollection, Sendable {
    private enum Kind: UInt8 {
        case given, found, parts, export
    }

    /// Eight bytes, because there may be as many entries as files.
    private struct Entry {
        var kind: Kind
        /// The position in ``formats``.
        var format: UInt8
        /// The position in ``given``, ``found``, ``parts`` or ``exports``.
        var place: UInt32
    }

    /// Each format once, in the order of first use.
    package private(set) var formats: [any LogFormat.Type] = []
    private var entries: [Entry] = []
    private var given: [ImportFile] = []
    private var parts = ImportParts()
    private var exports: [(places: [UInt32], folder: String)] = []
    var found = FoundFiles()

    package var startIndex: Int { 0 }
    package var endIndex: Int { entries.count }

    package subscript(position: Int) -> ImportSource {
        let entry = entries[position]
        let (format, place) = (formats[Int(entry.format)], Int(entry.place))
        switch entry.kind {
        case .given: return ImportSource(given[place], as: format)
        case .found: return ImportSource(found[place], as: format)
        case .parts: return ImportSource(parts: files(ofLog: place), as: format)
        case .export:
            let export = exports[place]
            return ImportSource(export: ImportFiles(export.places, of: found), in: export.folder, as: format)
        }
    }

    /// Returns some of the sources.
    func part(_ indices: [Int]) -> ImportSources {
        var part = self
        (part.entries, part.formats) = ([], [])
        for index in indices {
            part.appendEntry(
                entries[index].kind, Int(entries[index].place), as: formats[Int(entries[index].format)])
        }
        return part
    }

    /// The bytes of all sources, unpacked; 0 for pipes.
    package var size: Int64 { reduce(0) { $0 + Swift.min($1.size, .max / Int64(count) / 2) } }

    private func files(ofLog log: Int) -> ImportFiles {
        ImportFiles(
            parts[log].map { place in
                switch place {
                case .given(let place): given[Int(place)]
                case .found(let place): found[Int(place)]
                }
            })
    }

    /// Returns the names of a format's sources for people: the only one, or the number of files and exports; nil if
    /// there is none.
    func names(of format: any LogFormat.Type) -> String? {
        guard let number = formats.firstIndex(where: { $0 == format }) else { return nil }
        let own = entries.indices.lazy.filter { entries[$0].format == number }
        guard let first = own.first else { return nil }
        guard own.dropFirst().first != nil else { return self[first].title }
        return own.reduce(0) { $0 + (entries[$1].kind == .parts ? parts[Int(entries[$1].place)].count : 1) }.of("file")
    }

    mutating func addGiven(_ file: ImportFile, as format: any LogFormat.Type) {
        given.append(file)
        let place = given.count - 1
        if !addPart(file, at: .given(UInt32(place)), as: format) { appendEntry(.given, place, as: format) }
    }

    /// - Parameters:
    ///   - place: The position in ``found``.
    ///   - file: The file at that position.
    mutating func addFound(_ place: Int, _ file: ImportFile, as format: any LogFormat.Type) {
        if !addPart(file, at: .found(UInt32(place)), as: format) { appendEntry(.found, place, as: format) }
    }

    /// Returns false if the file is not a part of a log.
    private mutating func addPart(
        _ file: ImportFile, at place: ImportParts.Place, as format: any LogFormat.Type
    ) -> Bool {
        switch parts.add(file, at: place, as: format) {
        case .begun(let log): appendEntry(.parts, log, as: format)
        case .joined: break
        case nil: return false
        }
        return true
    }

    /// - Parameters:
    ///   - files: The positions in ``found``, in the format's order.
    ///   - folder: The path in its container, with a `/` at its end, or empty.
    mutating func addExport(_ files: [UInt32], in folder: String, as format: any LogFormat.Type) {
        exports.append((files, folder))
        appendEntry(.export, exports.count - 1, as: format)
    }

    /// Moves the databases before the other sources, whose order stays. A client's database has ids and exact times, by which
    /// the messages of its text logs are recognised, but not the other way round.
    mutating func putDatabasesFirst() {
        let isDatabase = formats.map { $0 is any DatabaseFormat.Type }
        guard isDatabase.contains(true), isDatabase.contains(false) else { return }
        entries =
            entries.filter { isDatabase[Int($0.format)] } + entries.filter { !isDatabase[Int($0.format)] }
    }

    private mutating func appendEntry(_ kind: Kind, _ place: Int, as format: any LogFormat.Type) {
        let number = formats.firstIndex { $0 == format } ?? formats.count
        if number == formats.count { formats.append(format) }
        entries.append(Entry(kind: kind, format: UInt8(number), place: UInt32(place)))
    }
}
