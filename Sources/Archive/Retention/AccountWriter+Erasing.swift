import Accounts
package import ChatModel
import Files
import Schema
import Writing

extension AccountWriter {
    /// Does a step of erasing a room, between events. The first steps may be repeated: they do what is left.
    ///
    /// - Parameter place: Where the step begins; nil for the beginning of the work.
    /// - Throws: ``ArchiveError``, with `unknownRoom` if the room does not exist and with `held` if a hold keeps it; does
    ///   not wait while the disk has trouble.
    package func erase(room: Int64, from place: ErasingPlace? = nil, at now: Timestamp) async throws -> ErasingProgress
    {
        var progress = ErasingProgress()
        switch place?.stage {
        case .index:
            let isMerged = try await !mergeTraces()
            progress.next = place.map { ErasingPlace(isMerged ? .pages : .index, through: $0.through) }
        case .pages:
            let isClean = try await clearPages()
            progress.next = isClean == nil ? place : nil
            progress.isClean = isClean ?? true
        default:
            let eraser = RoomEraser(room: room, now: now, account: account.name, catalog: catalog)
            let files = AttachmentFolder(of: folder)
            progress = try await ArchiveError.wrapping(folder.database) {
                try await connections.use { try await $0.erase(eraser, from: place, files) }
            }
        }
        return progress
    }
}
