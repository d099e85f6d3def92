import ChatModel
import FoundationEssentials
package import Reading
import Rendering

/// Writes an account into a folder, one month of a room after the other. The manifest lists each month when it is
/// complete.
///
/// The same run continues an interrupted export, or adds newer messages: it keeps the unchanged months of the manifest,
/// and writes the others. So a continued export has the same bytes as a new one.
package struct ExportRun {
    /// The progress of an export.
    package struct Progress: Sendable {
        /// The number of messages written so far.
        package var messages = 0
        /// The approximate number of messages to write.
        package var totalMessages = 0
    }

    /// The result of a finished export.
    package struct Report: Sendable {
        package var trailer: ManifestLine.Trailer
        /// The number of months that were written.
        package var written: Int
        /// The number of months that were kept from an earlier run.
        package var kept: Int
        /// The number of stored files that are missing or damaged in the account's folder, and so not exported.
        package var lost: Int
    }

    package let source: AccountExport
    package let folder: ExportFolder
    package let request: ExportRequest
    /// The manifest of an earlier run in the folder; nil if there is none.
    package let earlier: ExportManifest?
    /// Returns true if the export should stop. Called between pages.
    package let isStopped: () -> Bool
    /// Receives the progress after each page.
    package let progress: (Progress) -> Void

    package init(
        source: AccountExport, folder: ExportFolder, request: ExportRequest, earlier: ExportManifest?,
        isStopped: @escaping () -> Bool, progress: @escaping (Progress) -> Void
    ) {
        (self.source, self.folder, self.request, self.earlier) = (source, folder, request, earlier)
        (self.isStopped, self.progress) = (isStopped, progress)
    }

    /// The number of messages that are read at once: some hundred kB.
    package static let page = 1000

    /// Writes the export, and removes files of the earlier run that it no longer has.
    ///
    /// - Throws: ``ExportStopped`` if ``isStopped`` returns true, ``ExportError`` when a file can't be written.
    package func perform() throws -> Report {
        let position = try source.position()
        let plan = try ExportPlan(request, of: source, folders: earlier?.folders ?? [:])
        let header = header(position)
        // Marks the folder as an export, so that one that is interrupted while it copies files can continue.
        if earlier == nil, request.hasFiles { _ = try ManifestWriter([.export(header)], in: folder) }
        let attachments = try self.files()
        let (settings, look) = (settings(attachments), look(attachments))
        let kept = try earlier.map { try keep($0, plan, look, position) } ?? [:]
        let manifest = try ManifestWriter(
            [.export(header)] + plan.months.flatMap { (kept[$0.key] ?? []).map(ManifestLine.file) }, in: folder)
        var state = Progress()
        state.totalMessages = max(
            0, plan.messages - kept.values.joined().reduce(0) { $0.adding($1.month?.messages ?? 0) })
        var files = kept
        let months = plan.months.filter { kept[$0.key] == nil }
        let pages = ExportPages(of: months, from: source, isExact: request.format.isExact)
        for month in months {
            let parts = try write(month, pages, settings, context: context(of: month, look), seq: position.seq, &state)
            try manifest.add(parts.map(ManifestLine.file))
            files[month.key] = parts
        }
        let contents = plan.contents(settings, files)
        let companions = try request.format.companions(of: contents).map(write) + records()
        try manifest.add((companions + attachments.all).map(ManifestLine.file) + contents.missing)
        let all = plan.months.flatMap { files[$0.key] ?? [] } + companions + attachments.all
        try removeLeftovers(Set(all.map(\.path)))
        let trailer = ManifestLine.Trailer(
            all, gaps: contents.rooms.flatMap(\.gaps).count { $0.purge == nil }, seq: position.seq)
        try folder.sync(
            plan.months.flatMap { kept[$0.key] == nil ? files[$0.key] ?? [] : [] }.map(\.path) + companions.map(\.path)
                + attachments.written)
        try folder.setModes(of: all.map(\.path) + [ManifestLine.fileName])
        try manifest.finish(trailer)
        return Report(
            trailer: trailer, written: plan.months.count - kept.count, kept: kept.count, lost: attachments.lost.count)
    }

    private func settings(_ attachments: Files) -> ExportSettings {
        ExportSettings(
            account: source.account.name, network: source.account.network, zone: request.zone,
            title: request.givenTitle,
            files: areFilesNamed ? attachments.exported : nil)
    }

    /// True if documents name the copies of files. An exact format names them by their hashes, with or without copies.
    private var areFilesNamed: Bool { request.hasFiles && !request.format.isExact }

    /// Returns what all documents have in common: the title and the files. When it changes, all months are written.
    private func look(_ attachments: Files) -> String {
        let title = request.givenTitle.map { " title \($0.debugDescription)" } ?? ""
        return areFilesNamed ? "\(title) files, without \(attachments.lost.sorted())" : title
    }

    private func header(_ position: FeedPosition) -> ManifestLine.Header {
        ManifestLine.Header(
            version: ManifestLine.version, format: request.format.name, account: source.account.name,
            network: source.account.network, epoch: position.epoch, zone: request.zone.identifier,
            rooms: request.rooms, after: request.after?.time, before: request.before?.time,
            files: request.hasFiles ? true : nil, title: request.givenTitle, seq: earlier?.seq ?? 0)
    }

    private func write(
        _ month: ExportPlan.Month, _ pages: ExportPages, _ settings: ExportSettings, context: String, seq: Int64,
        _ state: inout Progress
    ) throws -> [ManifestLine.File] {
        var writer = try MonthWriter(month, context: context, as: request.format, settings: settings, in: folder)
        let items = MonthItems(month: month, pages: pages, isStopped: isStopped)
        try items.each { item in
            try writer.add(item)
        } pageRead: { count in
            state.messages += count
            progress(state)
        }
        return try writer.finish(seq: seq)
    }

    private func write(_ companion: ExportCompanion) throws -> ManifestLine.File {
        let file = try folder.create(companion.path)
        try file.write(companion.contents)
        let (bytes, sha256) = try file.finish()
        return ManifestLine.File(path: companion.path, bytes: bytes, sha256: sha256, month: nil)
    }
}

extension ExportRun {
    /// Writes the records of the account, or of the selected rooms, that aren't messages, for a format that exports
    /// everything.
    private func records() throws -> [ManifestLine.File] {
        guard request.format.isExact else { return [] }
        let file = try folder.create(JSONLinesExport.recordsFile)
        try source.records(rooms: request.rooms) { records in
            for record in records { try file.write(try JSONLine.bytes(record)) }
            if isStopped() { throw ExportStopped() }
        }
        let (bytes, sha256) = try file.finish()
        return [ManifestLine.File(path: JSONLinesExport.recordsFile, bytes: bytes, sha256: sha256, month: nil)]
    }
}

/// The error of an export that stopped on request.
package struct ExportStopped: Error {}

extension ManifestLine.Trailer {
    /// A trailer without its checksum, which the manifest's writer adds.
    fileprivate init(_ files: [ManifestLine.File], gaps: Int, seq: Int64) {
        self.init(
            files: files.count, bytes: files.reduce(Int64(0)) { $0.adding($1.bytes) },
            messages: files.reduce(0) { $0.adding($1.month?.messages ?? 0) },
            first: files.compactMap { $0.month?.first }.min(), last: files.compactMap { $0.month?.last }.max(),
            gaps: gaps, seq: seq, sha256: "")
    }
}

extension ExportManifest {
    /// The change up to which the export is complete, where the next run continues.
    var seq: Int64 { trailer?.seq ?? header.seq }

    /// The folder of each room that has one.
    fileprivate var folders: [Int64: String] {
        var folders: [Int64: String] = [:]
        for file in files {
            guard let month = file.month, folders[month.room] == nil, let slash = file.path.lastIndex(of: "/") else {
                continue
            }
            folders[month.room] = String(file.path[..<slash])
        }
        return folders
    }
}

extension ExportPlan {
    var months: [Month] { rooms.flatMap(\.months) }

    fileprivate func contents(
        _ settings: ExportSettings, _ files: [Key: [ManifestLine.File]]
    ) -> ExportContents {
        ExportContents(
            settings: settings,
            rooms: rooms.map { room in
                ExportContents.Room(
                    id: room.id, name: room.name, folder: room.folder,
                    months: room.months.compactMap { ExportContents.Month($0.unit, files[$0.key] ?? []) },
                    gaps: room.gaps)
            })
    }
}

extension ExportContents {
    /// The gaps as lines of the manifest.
    fileprivate var missing: [ManifestLine] {
        rooms.flatMap { room in
            room.gaps.map { gap in
                .gap(
                    ManifestLine.GapEntry(
                        room: room.id, name: room.name, from: gap.from, to: gap.to, state: gap.state.rawValue,
                        reason: gap.reason, unfilled: gap.missing?.unfilled,
                        purged: gap.purge.map { purge in
                            ManifestLine.GapEntry.Purged(
                                messages: purge.count, at: purge.at, rule: purge.rule.text)
                        }))
            }
        }
    }
}

extension ExportContents.Month {
    /// Nil if nothing was written.
    fileprivate init?(_ unit: ExportUnit, _ files: [ManifestLine.File]) {
        let parts = files.compactMap(\.month)
        guard let first = parts.compactMap(\.first).min(), let last = parts.compactMap(\.last).max() else { return nil }
        self.init(
            month: unit.month, files: files.map { String($0.path.dropFirst(unit.folder.count + 1)) },
            messages: parts.reduce(0) { $0.adding($1.messages) }, first: first, last: last)
    }
}
