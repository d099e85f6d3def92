package import ChatModel
package import Options
package import Reading
import Rendering

/// The files that came with messages.
package struct AttachmentsOperation: ArchiveOperation {
    package var selection: RoomSelection
    package var bounds: TimeBounds
    /// True for only files that are not stored.
    package var isMissingOnly: Bool
    package var limit: MessageLimit?

    package init(selection: RoomSelection, bounds: TimeBounds, isMissingOnly: Bool, limit: MessageLimit?) {
        (self.selection, self.bounds, self.isMissingOnly, self.limit) = (selection, bounds, isMissingOnly, limit)
    }

    package static let parameters: [Parameter] = [
        .room, .accounts, .after, .before, .missing, .files,
        .cold,
    ]

    package init(_ parameters: OperationParameters) throws {
        self.init(
            selection: parameters.selection, bounds: parameters.bounds, isMissingOnly: parameters.has("missing"),
            limit: parameters.number("limit").map(MessageLimit.count))
    }

    /// Returns the page, or for all files the whole list, which stays in memory until it is written.
    package func page(
        _ scope: MessageQuery.Scope, in reading: ArchiveReading, _ context: OperationContext
    ) throws -> AttachmentPage {
        let (after, before) = try bounds.ids(zone: context.zone, now: context.now)
        let query = AttachmentQuery(
            scope: scope, after: after, before: before, isMissingOnly: isMissingOnly,
            isForward: limit == .all || after != nil && before == nil,
            limit: limit?.page ?? MessageQuery.defaultLimit)
        var page = try reading.files.attachments(query)
        guard limit == .all else { return page }
        var rest = query
        while let next = page.newer {
            rest.after = next
            let more = try reading.files.attachments(rest)
            page.attachments += more.attachments
            page.newer = more.newer
        }
        page.older = nil
        return page
    }

    package func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer {
        let selected = try selection.resolve(in: reading)
        let page = try selected.map { try self.page($0.scope, in: reading, context) }
        var answer = OperationAnswer(
            page?.attachments ?? [], as: StoredAttachment.listing(time: context.localTime), leftOut: reading.skipped)
        (answer.older, answer.newer, answer.limit) = (page?.older, page?.newer, PageLimit(bounds))
        return answer
    }
}
