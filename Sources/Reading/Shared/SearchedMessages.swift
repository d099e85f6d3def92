import ChatModel
package import Records
import Schema
import SearchText

/// Messages of an account with the names of their files, from which the words and marks for a search are made.
package struct SearchedMessages: Sendable {
    /// Rows of the table `message`.
    package let rows: MirrorRows
    private let attachments: MirrorRows?
    private let files: MirrorRows?

    package init(_ rows: MirrorRows, attachments: MirrorRows?, files: MirrorRows?) {
        (self.rows, self.attachments, self.files) = (rows, attachments, files)
    }

    /// Returns what a search finds of each message, in the form that the search index of a file has; nil for a message
    /// that is not searched.
    package func entries() -> [AnalysedEntry?] {
        let (ids, rooms, senders) = (rows.integers("id"), rows.integers("room_id"), rows.integers("sender_id"))
        let (kinds, bodies) = (rows.integers("kind"), rows.texts("body"))
        let (edited, deleted) = (rows.integers("edited_at_us"), rows.integers("deleted_at_us"))
        let (flags, replies, paths) = (rows.integers("flags"), rows.texts("reply_to"), filePaths())
        return ids.indices.map { index in
            guard let kind = kinds[index].flatMap({ try? MessageKind(code: $0) }), !kind.isNoise else { return nil }
            return AnalysedEntry(
                SearchEntry(
                    id: ids[index] ?? 0, room: rooms[index] ?? 0, sender: senders[index], kind: kind,
                    body: bodies[index],
                    marks: SearchMarks(
                        isEdited: edited[index] != nil, isDeleted: deleted[index] != nil,
                        flags: MessageFlags(rawValue: flags[index] ?? 0), isReply: replies[index] != nil,
                        files: SearchMarks.files(at: paths[ids[index] ?? 0] ?? []))))
        }
    }

    /// Returns the paths of the files of each message.
    private func filePaths() -> [Int64: [String]] {
        guard let attachments, attachments.count > 0 else { return [:] }
        let paths = Dictionary(
            zip(files?.integers("id") ?? [], files?.texts("path") ?? []), uniquingKeysWith: { first, _ in first })
        return zip(attachments.integers("message_id"), attachments.integers("file_id")).reduce(into: [:]) {
            found, row in
            guard let message = row.0 else { return }
            found[message, default: []].append((paths[row.1] ?? nil) ?? "")
        }
    }
}
