import ChatModel
import Foundation

extension ExportManifest {
    /// What somebody asks of an export that there is already.
    struct Given {
        var account: String?
        /// Which of the options were given.
        var format: Bool
        var rooms: Bool
        var bounds: Bool
        var zone: Bool
    }

    /// What the export was asked to be, which what is asked now must not differ from.
    ///
    /// - Parameter epoch: Of the account's file as it is now.
    /// - Throws: ``CommandError`` that says what differs.
    func request(
        _ wanted: ExportRequest, given: Given, epoch: String, in folder: ExportFolder
    ) throws -> ExportRequest {
        if let account = given.account, account != header.account {
            throw otherwise(folder, "of account \"\(Sanitizer.line(header.account))\"")
        }
        guard header.epoch == epoch else {
            throw CommandError(
                .export,
                """
                account "\(Sanitizer.line(header.account))" is another file by now than the one that \(folder.shown) was made \
                of: it was restored or made anew, and what changed since can't be told
                """, hint: "export it anew into another folder")
        }
        guard let format = KnownExportFormats.all.first(where: { $0.name == header.format }),
            let zone = TimeZone(identifier: header.zone)
        else {
            throw CommandError(
                .export,
                "\(folder.shown) is an export of format \"\(Sanitizer.line(header.format))\", which this program lacks",
                hint: "take the program that made it")
        }
        if given.format, wanted.format.name != header.format { throw otherwise(folder, "of format \(header.format)") }
        if given.rooms, wanted.rooms != header.rooms { throw otherwise(folder, "of other rooms") }
        if given.bounds, wanted.after?.time != header.after || wanted.before?.time != header.before {
            throw otherwise(folder, "of another time")
        }
        if given.zone, wanted.zone.secondsFromGMT() != zone.secondsFromGMT() || header.zone != wanted.zone.identifier {
            throw otherwise(folder, "in the zone \(Sanitizer.line(header.zone))")
        }
        return ExportRequest(
            format: format, rooms: header.rooms, after: header.after.map(MessageID.init),
            before: header.before.map(MessageID.init), zone: zone)
    }

    private func otherwise(_ folder: ExportFolder, _ what: String) -> CommandError {
        CommandError(
            .export, "the export in \(folder.shown) is \(what)",
            hint: "it goes on as it was begun: leave that option out, or name another folder with -o")
    }
}
