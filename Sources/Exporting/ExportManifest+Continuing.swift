import ChatModel
import Rendering

extension ExportManifest {
    /// The options of a command that continues an export.
    package struct ContinuationOptions {
        /// The account that was given; nil if none was.
        package var account: String?
        /// True for each option that was given.
        package var format: Bool
        package var rooms: Bool
        package var bounds: Bool
        package var zone: Bool

        package init(account: String? = nil, format: Bool, rooms: Bool, bounds: Bool, zone: Bool) {
            (self.account, self.format, self.rooms, self.bounds, self.zone) = (account, format, rooms, bounds, zone)
        }
    }

    /// Returns the original request of the export, from which the present request must not differ.
    ///
    /// - Parameter epoch: The present epoch of the account's file.
    /// - Throws: ``ExportError`` that names the difference.
    package func request(
        _ wanted: ExportRequest, given: ContinuationOptions, epoch: String, in folder: ExportFolder
    ) throws -> ExportRequest {
        if let account = given.account, account != header.account {
            throw mismatch(folder, "of account \"\(Sanitizer.line(header.account))\"")
        }
        guard header.epoch == epoch else {
            throw ExportError(
                .export,
                """
                account "\(Sanitizer.line(header.account))" was restored or recreated after the export into \(folder.shown), \
                so its changes since are unknown
                """, hint: "export it into another folder")
        }
        return try request(wanted, given: given, in: folder)
    }

    /// Returns the original request of the export, also for another account in the same collection.
    ///
    /// - Throws: ``ExportError`` that names a difference of the options.
    package func request(
        _ wanted: ExportRequest, given: ContinuationOptions, in folder: ExportFolder
    ) throws -> ExportRequest {
        guard let format = KnownExportFormats.all.first(where: { $0.name == header.format }),
            let zone = Zone(identifier: header.zone)
        else {
            throw ExportError(
                .export,
                "\(folder.shown) has the export format \"\(Sanitizer.line(header.format))\", which this scrollback "
                    + "does not support",
                hint: "use the scrollback that made it")
        }
        if given.format, wanted.format.name != header.format {
            throw mismatch(folder, "in format \(header.format)")
        }
        if wanted.title != nil, !format.hasTitle {
            throw ExportError(
                .export, "\(folder.shown) is an export in format \(header.format), which has no title",
                hint: "remove --title")
        }
        if given.rooms, wanted.rooms != header.rooms { throw mismatch(folder, "of other rooms") }
        if given.bounds, wanted.after?.time != header.after || wanted.before?.time != header.before {
            throw mismatch(folder, "of another time range")
        }
        if given.zone, wanted.zone.secondsFromGMT() != zone.secondsFromGMT() || header.zone != wanted.zone.identifier {
            throw mismatch(folder, "in the zone \(Sanitizer.line(header.zone))")
        }
        return ExportRequest(
            format: format, rooms: header.rooms, after: header.after.map(MessageID.init),
            before: header.before.map(MessageID.init), zone: zone,
            hasFiles: wanted.hasFiles || header.files == true, title: wanted.title ?? header.title)
    }

    private func mismatch(_ folder: ExportFolder, _ what: String) -> ExportError {
        ExportError(
            .export, "\(folder.shown) is an export \(what)",
            hint: "remove that option to continue the export, or choose another folder with -o")
    }
}
