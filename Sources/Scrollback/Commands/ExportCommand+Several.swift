import ChatModel
import Exporting
import Operations
import Options
import Reading
import Rendering

extension ExportCommand {
    /// Exports several accounts, each into a folder, and writes one index over them.
    ///
    /// Reports an account that can't be exported and continues with the others.
    func exportSeveral(
        _ earlier: ExportCollection?, into target: ExportFolder, from reading: ArchiveReading
    ) async throws {
        try refuse(earlier, in: target)
        let names = try names(earlier, in: target, from: reading)
        let first = earlier?.firstManifest(in: target)
        if append, first == nil {
            throw CommandError(
                .export, "\(target.shown) has no account whose options --append could keep",
                hint: "export into another folder without --append")
        }
        var collection =
            earlier ?? ExportCollection(format: format ?? JSONLinesExport.name, hasAll: all)
        try target.make()
        let folders = names.map { ($0, collection.folder(of: $0, in: target)) }
        try collection.begin(in: target)
        var (isComplete, exports) = (true, [ExportedAccount]())
        for (name, folder) in folders {
            do {
                var one = self
                one.format = collection.format
                one.account = []
                let earlier = try ExportManifest.read(in: folder)
                let account = try await one.export(name, earlier, like: first, into: folder, from: reading)
                exports.append(account)
                if account.report.lost > 0 { isComplete = false }
            } catch  where FailureText.sentence(for: error) != nil {
                isComplete = false
                StandardStream.note("scrollback: \(FailureText.sentence(for: error) ?? "")\n")
            }
        }
        try collection.finish(in: target, earlier: earlier)
        try write(exports)
        guard isComplete else { throw ExitCode.failure }
    }

    private func refuse(_ earlier: ExportCollection?, in target: ExportFolder) throws {
        guard let earlier else {
            if append {
                throw CommandError(
                    .export, "\(target.shown) has no export of several accounts to continue",
                    hint: "remove --append to create one")
            }
            guard try target.isEmpty() else {
                throw CommandError(
                    .export, "\(target.shown) is not empty and is not an export of several accounts",
                    hint: "name another folder with -o")
            }
            return
        }
        if earlier.hasAll, !account.isEmpty || !room.isEmpty {
            throw CommandError(
                .export, "\(target.shown) is an export of all accounts",
                hint: "remove \(account.isEmpty ? "--room" : "-a") to continue it, or choose another folder with -o")
        }
        if let format, format != earlier.format {
            throw CommandError(
                .export, "\(target.shown) is an export in format \(Sanitizer.line(earlier.format))",
                hint: "remove that option to continue the export, or choose another folder with -o")
        }
        if earlier.files != nil, !append {
            throw CommandError(
                .export, "\(target.shown) has a finished export",
                hint: "update it with --append, or choose another folder with -o")
        }
    }

    /// Returns the accounts to export: the given ones; else those of the earlier export, with `--all` also new ones.
    /// Reports those of the earlier export that are not in the archive.
    private func names(
        _ earlier: ExportCollection?, in target: ExportFolder, from reading: ArchiveReading
    ) throws -> [String] {
        let known = try reading.accounts().map(\.name)
        try RoomSelection.requireKnown(account, among: known, folder: reading.folder)
        for gone in earlier?.accounts ?? [] where !known.contains(gone.account) {
            StandardStream.note(
                "scrollback: skipped '\(Sanitizer.line(gone.account))' (not in the archive); its folder "
                    + "\(target.shown)/\(Sanitizer.line(gone.folder)) stays unchanged\n")
        }
        if all || earlier?.hasAll == true { return known }
        let before = earlier?.accounts.map(\.account) ?? []
        return before.filter { known.contains($0) } + account.filter { !before.contains($0) }
    }
}
