package import ChatModel
import Glibc
import LogFormats
import Networks
import Rendering

/// Finds the sources of an import, and their formats.
package struct ImportSearch {
    /// The options. ``setAccount(_:)`` completes them.
    package private(set) var options: ImportOptions
    /// The report, with the files that were skipped or can't be read.
    package var report: ImportReport
    /// The network of the account in a full export, if a source has one.
    package internal(set) var network: String?
    /// The accounts or networks that the sources name, at most ``maximumNames``.
    package private(set) var accountNames: [String] = []
    /// The sources found so far, in order.
    package internal(set) var sources = ImportSources()

    /// The found files of no known format, by their positions. Messages may name them.
    var unrecognised: [UInt32] = []

    /// The rules of a search through a home; nil for another search.
    var home: HomeRules?

    /// The rooms whose names the files of some sources have in another form, with the source.
    var alteredRooms: [(room: String, source: Int)] = []

    /// The limit of named accounts: more than an error message lists.
    private static let maximumNames = 4

    /// Returns true if the search should stop. Called while a pipe has nothing to read, and between files.
    var isStopped: @Sendable () -> Bool

    package init(
        options: ImportOptions, report: ImportReport, isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.options, self.report, self.isStopped) = (options, report, isStopped)
    }

    /// Reads the beginnings of the files.
    var beginnings: BeginningReader { BeginningReader(options: options, isStopped: isStopped) }

    /// The found formats, for people; empty if the format was given.
    package var summary: String { options.format == nil ? report.found(sources) : "" }

    /// Finds the sources at a path. Reports a path that does not exist or is not recognised. Returns early if it should
    /// stop.
    package mutating func find(_ path: String) {
        do {
            try look(at: path)
        } catch is ImportStopped {
            return
        } catch let error as ImportError {
            report.fail(error)
        } catch {
            report.fail(ImportError(.input, Sanitizer.line(path), "\(error)", hint: nil))
        }
    }

    private mutating func look(at path: String) throws {
        guard path != "-" else { return try addNamed(ImportFile(pipe: 0, name: "-")) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw ImportError(UnreadableBytes(errno: errno), of: path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try look(in: path)
        case S_IFREG where ImportFile.isArchive(path) && !ImportFile.isPackedDocument(path): try lookInArchive(path)
        case S_IFREG: try addNamed(ImportFile(container: "", name: path, size: Int64(status.st_size)))
        default: try addNamed(ImportFile(pipe: ImportFile.descriptor(of: path), name: path))
        }
    }

    /// Adds a file that a person named. It must have the given format or a recognised one.
    private mutating func addNamed(_ file: ImportFile) throws {
        var file = file
        var beginning = try beginnings.read(&file)
        if let format = options.format { return try addSource(file, beginning, as: format) }
        let recognition = try recognition(of: &file, &beginning)
        if beginning.isEmpty {
            report.skipEmpty(file)
            return report.note("\(file.shown): empty file")
        }
        switch recognition {
        case .sure(let format):
            try addSource(file, beginning, as: format)
        case .unsure(let formats, let doubt):
            let names = formats.map { $0.name }.joined(separator: ", ")
            throw ImportError(
                .importSource, file.shown, Self.unsure(formats, doubt),
                hint: "to choose one: scrollback import FORMAT FILE (\(names))")
        case .unknown:
            if let kind = file.unsupportedKind(beginning) { throw ImportError(kind, of: file) }
            throw ImportError(
                .importSource, file.shown, Self.unknown,
                hint: TableProposal.hint(for: beginnings.log(file, beginning), file.name)
                    ?? "to force one: scrollback import FORMAT FILE (\(KnownLogFormats.names))")
        }
    }

    /// Recognises the format of a file. Waits for more of a pipe's beginning until the format is sure.
    private func recognition(of file: inout ImportFile, _ beginning: inout [UInt8]) throws -> Recognition {
        var isNoted = false
        while true {
            let recognition = Recognition(beginnings.log(file, beginning))
            if case .sure = recognition { return recognition }
            guard file.pipe?.isOpen == true else { return recognition }
            if !isNoted { report.note("\(file.shown): waiting for more, to recognise the format") }
            isNoted = true
            beginning = try beginnings.read(&file)
        }
    }

    private mutating func addSource(_ file: ImportFile, _ beginning: [UInt8], as format: any LogFormat.Type) throws {
        try beginnings.checkNetwork(of: file, beginning, format)
        sources.addGiven(file, as: format)
        noteAccount(of: beginnings.log(file, beginning), format)
    }

    mutating func noteAccount(of source: LogSource, _ format: any LogFormat.Type) {
        network = network ?? format.account(in: source)?.network
        if let name = format.accountName(in: source) { note(account: name) }
        if let room = format.alteredRoom(of: source) { alteredRooms.append((room, sources.count - 1)) }
    }

    mutating func note(account name: String) {
        guard accountNames.count < Self.maximumNames, !accountNames.contains(name) else { return }
        accountNames.append(name)
    }

    private static let unknown = "unrecognised format"

    static func unsure(_ formats: [any LogFormat.Type], _ doubt: String?) -> String {
        "unsure of the format: it may be " + formats.map { $0.name }.joined(separator: " or ")
            + (doubt.map { ", but \($0)" } ?? "")
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
                let beginning = (try? beginnings.read(&file)) ?? []
                if let kind = file.unsupportedKind(beginning) {
                    report.skip(file, reason: kind.noun, hint: kind.advice)
                } else if let table = TableProposal.hint(for: beginnings.log(file, beginning), "FILE") {
                    report.skip(file, reason: "table whose columns are not named", hint: table)
                } else {
                    report.skip(file, reason: Self.unknown)
                }
            }
        }
        unrecognised = []
    }

    /// Sets the account into which everything is imported. A log whose lines don't name its room goes into the room that the
    /// account or another source has.
    ///
    /// - Parameters:
    ///   - ownNames: The names that are known of the account's own person.
    ///   - rooms: The names of the rooms that the account has.
    package mutating func setAccount(_ account: AccountIdentity, ownNames: [String] = [], rooms: [String] = []) {
        let traits = NetworkTraits.of(account.network)
        (options.folding, options.usesServerIDs) = (traits.folding, traits.hasServerIDs)
        options.ownNames = ownNames
        options.rooms = AccountRooms(rooms + alteredRooms.map(\.room))
    }
}

extension KnownLogFormats {
    /// The names of all formats, for people.
    package static var names: String { all.map { $0.name }.joined(separator: ", ") }
}
