import ChatModel
import FoundationEssentials
import Rendering

/// An export of several accounts: a folder for each, with an export of its own, and one index over all of them.
package struct ExportCollection: Sendable, Hashable, Codable {
    package struct Entry: Sendable, Hashable, Codable {
        package var account: String
        /// The folder of the account's export, in the folder of the collection.
        package var folder: String
    }

    /// The version of the layout: ``ManifestLine/version``.
    private var version = ManifestLine.version
    /// The name of an ``ExportFormat``.
    package private(set) var format: String
    /// True if accounts that are created later belong to it.
    package private(set) var hasAll: Bool
    package private(set) var accounts: [Entry] = []
    /// The files of the index; nil while the export is not finished.
    package private(set) var files: [ManifestLine.File]?

    private enum CodingKeys: String, CodingKey {
        case version, format, accounts, files
        case hasAll = "all"
    }

    /// The name of its file in the export's folder.
    package static let fileName = "accounts.json"

    package init(format: String, hasAll: Bool) {
        (self.format, self.hasAll) = (format, hasAll)
    }

    /// Reads the collection in a folder.
    ///
    /// - Returns: Nil if the folder has none.
    /// - Throws: ``ExportError`` if its file can't be read or is not valid.
    package static func read(in folder: ExportFolder) throws -> ExportCollection? {
        guard let bytes = try folder.contents(of: fileName) else { return nil }
        guard let found = try? JSONDecoder().decode(ExportCollection.self, from: Data(bytes)),
            found.version == ManifestLine.version,
            (found.accounts.map(\.folder) + (found.files ?? []).map(\.path)).allSatisfy(ExportFolder.isInside)
        else {
            throw ExportError(
                .export, "\(folder.shown)/\(fileName) is not the list of an export of several accounts",
                hint: "export into another folder")
        }
        return found
    }

    /// Returns an account's folder, and adds the account if it is new.
    package mutating func folder(of account: String, in folder: ExportFolder) -> ExportFolder {
        if let known = accounts.first(where: { $0.account == account }) { return part(known, of: folder) }
        var names = SafeName()
        for entry in accounts { names.take(entry.folder) }
        let entry = Entry(account: account, folder: names.folder(for: account, otherwise: "account"))
        accounts.append(entry)
        return part(entry, of: folder)
    }

    /// Returns the manifest of the first account that has a readable one; nil if none has.
    package func firstManifest(in folder: ExportFolder) -> ExportManifest? {
        for entry in accounts {
            if let found = try? ExportManifest.read(in: part(entry, of: folder)) { return found }
        }
        return nil
    }

    private func part(_ entry: Entry, of folder: ExportFolder) -> ExportFolder {
        ExportFolder(path: folder.path + "/" + entry.folder, mode: folder.mode)
    }

    /// Writes the list without an index, before anything else changes.
    package mutating func begin(in folder: ExportFolder) throws {
        files = nil
        try write(in: folder)
    }

    /// Writes the index over all accounts, from the manifests of their exports, and then the list.
    package mutating func finish(in folder: ExportFolder, earlier: ExportCollection?) throws {
        let written = try index(of: folder).map { companion in
            let file = try folder.create(companion.path)
            try file.write(companion.contents)
            let (bytes, sha256) = try file.finish()
            return ManifestLine.File(path: companion.path, bytes: bytes, sha256: sha256, month: nil)
        }
        let names = Set(written.map(\.path))
        for file in earlier?.files ?? [] where !names.contains(file.path) { try folder.remove(file.path) }
        try folder.sync(written.map(\.path))
        files = written
        try write(in: folder)
        try folder.setModes(of: written.map(\.path) + [Self.fileName])
    }

    private func write(in folder: ExportFolder) throws {
        let file = try folder.create(Self.fileName)
        try file.write(try JSONLine.document(self))
        _ = try file.finish()
        try folder.sync([Self.fileName])
    }

    /// Returns the pages of the index; none for a format without an index.
    private func index(of folder: ExportFolder) throws -> [ExportCompanion] {
        let manifests = try accounts.compactMap { entry in
            try ExportManifest.read(in: part(entry, of: folder)).map { (entry, $0) }
        }
        guard let format = KnownExportFormats.all.first(where: { $0.name == self.format }),
            let zone = manifests.first.flatMap({ Zone(identifier: $0.1.header.zone) })
        else { return [] }
        let names = manifests.map(\.1.header.account)
        let settings = ExportSettings(
            account: names.count > 3 ? names.count.of("account") : names.joined(separator: ", "),
            network: Set(manifests.map(\.1.header.network)).sorted().joined(separator: ", "), zone: zone,
            title: manifests.first?.1.header.title)
        let rooms = manifests.flatMap { $1.rooms(in: $0.folder) }
        // A room's own pages are in its account's export.
        return format.companions(of: ExportContents(settings: settings, rooms: rooms)).filter { !$0.path.contains("/") }
    }
}

extension ExportManifest {
    /// The rooms with messages, in the order of the manifest.
    ///
    /// - Parameter folder: The folder of the export, for the rooms' paths.
    fileprivate func rooms(in folder: String) -> [ExportContents.Room] {
        var (order, files): ([Int64], [Int64: [ManifestLine.File]]) = ([], [:])
        for file in self.files {
            guard let month = file.month else { continue }
            if files[month.room] == nil { order.append(month.room) }
            files[month.room, default: []].append(file)
        }
        let gaps = Dictionary(grouping: gaps, by: \.room)
        return order.map { id in
            let own = files[id] ?? []
            let path = own.first.map { $0.path.split(separator: "/").dropLast().joined(separator: "/") } ?? ""
            return ExportContents.Room(
                account: header.account, id: id, name: own.last?.month?.name ?? "", folder: "\(folder)/\(path)",
                months: ExportContents.Month.all(of: own), gaps: (gaps[id] ?? []).map { Gap($0, in: header.account) })
        }
    }
}

extension ExportContents.Month {
    /// Returns the months of a room's files, in order of time.
    fileprivate static func all(of files: [ManifestLine.File]) -> [ExportContents.Month] {
        let months = Dictionary(grouping: files) { $0.month?.month ?? "" }
        return months.sorted { $0.key < $1.key }.compactMap { name, files in
            let parts = files.sorted { ($0.month?.part ?? 0) < ($1.month?.part ?? 0) }
            guard let month = CalendarMonth(name), let first = parts.compactMap(\.month?.first).min(),
                let last = parts.compactMap(\.month?.last).max()
            else { return nil }
            return ExportContents.Month(
                month: month, files: parts.map { String($0.path.split(separator: "/").last ?? "") },
                messages: parts.reduce(0) { $0.adding($1.month?.messages ?? 0) }, first: first, last: last)
        }
    }
}

extension Gap {
    fileprivate init(_ entry: ManifestLine.GapEntry, in account: String) {
        let missing = Missing(
            reason: entry.reason, isOpen: entry.state == State.open.rawValue, unfilled: entry.unfilled)
        let kind: Kind =
            switch State(rawValue: entry.state) {
            case .ended: .ended(entry.reason.flatMap(EndReason.init) ?? .left)
            case .notArchived: .seam(missing)
            default: .gap(missing)
            }
        let purge = entry.purged.map { purged in
            Purge(
                account: account, room: entry.name, part: .messages,
                rule: [RetentionRule.forget, .erase].first { $0.text == purged.rule }
                    ?? RetentionRule(text: purged.rule, age: .zero).withoutRooms,
                first: entry.from, last: entry.to ?? entry.from, count: purged.messages, at: purged.at)
        }
        self.init(
            account: account, room: entry.name, from: entry.from, to: entry.to, kind: purge.map(Kind.purged) ?? kind)
    }
}
