package import LogFormats

/// The files of a source, each created on demand.
struct ImportFiles: RandomAccessCollection, Sendable {
    private var given: ImportFile?
    private var found: FoundFiles?
    private var places: [UInt32] = []

    init(_ file: ImportFile) {
        given = file
    }

    /// - Parameter places: Positions in `found`.
    init(_ places: [UInt32], of found: FoundFiles) {
        (self.places, self.found) = (places, found)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { given == nil ? places.count : 1 }

    subscript(position: Int) -> ImportFile {
        if let given { return given }
        guard let found else { preconditionFailure("there are no files") }
        return found[Int(places[position])]
    }
}

/// The sources of an import, in order: files that were given, files that were found, and exports of several files.
package struct ImportSources: RandomAccessCollection, Sendable {
    private enum Kind: UInt8 {
        case given, found, export
    }

    /// Eight bytes, because there may be as many entries as files.
    private struct Entry {
        var kind: Kind
        /// The position in ``formats``.
        var format: UInt8
        /// The position in ``given``, ``found`` or ``exports``.
        var place: UInt32
    }

    /// Each format once, in the order of first use.
    package private(set) var formats: [any LogFormat.Type] = []
    private var entries: [Entry] = []
    private var given: [ImportFile] = []
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
        case .export:
            let export = exports[place]
            return ImportSource(export: ImportFiles(export.places, of: found), in: export.folder, as: format)
        }
    }

    /// The bytes of all sources, unpacked; 0 for pipes.
    package var size: Int64 { reduce(0) { $0 + Swift.min($1.size, .max / Int64(count) / 2) } }

    /// Returns the number of a format's sources, and the first of them.
    func count(of format: any LogFormat.Type) -> (count: Int, first: ImportSource)? {
        guard let number = formats.firstIndex(where: { $0 == format }) else { return nil }
        let own = entries.lazy.filter { $0.format == number }.count
        return entries.firstIndex { $0.format == number }.map { (own, self[$0]) }
    }

    mutating func add(_ file: ImportFile, as format: any LogFormat.Type) {
        given.append(file)
        add(.given, given.count - 1, as: format)
    }

    /// - Parameter file: The position in ``found``.
    mutating func add(found file: Int, as format: any LogFormat.Type) {
        add(.found, file, as: format)
    }

    /// - Parameters:
    ///   - files: The positions in ``found``, in the format's order.
    ///   - folder: The path in its container, with a `/` at its end, or empty.
    mutating func add(export files: [UInt32], in folder: String, as format: any LogFormat.Type) {
        exports.append((files, folder))
        add(.export, exports.count - 1, as: format)
    }

    private mutating func add(_ kind: Kind, _ place: Int, as format: any LogFormat.Type) {
        let number = formats.firstIndex { $0 == format } ?? formats.count
        if number == formats.count { formats.append(format) }
        entries.append(Entry(kind: kind, format: UInt8(number), place: UInt32(place)))
    }
}
