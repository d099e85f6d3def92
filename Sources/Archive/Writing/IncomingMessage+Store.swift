import ChatModel

extension IncomingMessage {
    var withoutNUL: IncomingMessage {
        guard hasNUL else { return self }
        var copy = self
        let (name, key) = (sender?.name ?? "", sender?.key ?? "")
        copy.body = body?.withoutNUL
        copy.remoteID = remoteID?.withoutNUL
        copy.replyTo = replyTo?.withoutNUL
        copy.room.name = room.name.withoutNUL
        copy.sender?.name = name.withoutNUL
        copy.sender?.key = key.withoutNUL
        copy.attachments = attachments.map(\.withoutNUL)
        return copy
    }

    private var hasNUL: Bool {
        room.name.hasNUL || (sender?.name.hasNUL ?? false) || (sender?.key.hasNUL ?? false) || (body?.hasNUL ?? false)
            || (remoteID?.hasNUL ?? false) || (replyTo?.hasNUL ?? false)
            || attachments.contains(where: \.hasNUL)
    }

    /// The network's time when it gives one that can be true, else the time of receipt.
    var believedTime: Timestamp { sourceTime?.believed(at: receivedAt) ?? receivedAt }

    /// Nil for what was not edited. What is imported may have been received long before.
    var believedEdit: Timestamp? { session == nil ? editedAt : editedAt?.believed(at: receivedAt) }

    /// Nil for what is not deleted.
    var believedDeletion: Timestamp? { session == nil ? deletedAt : deletedAt?.believed(at: receivedAt) }

    /// One that was heard as it was edited, where no time was told of that.
    var edited: IncomingMessage {
        var copy = self
        copy.editedAt = editedAt ?? receivedAt
        return copy
    }
}

extension Timestamp {
    /// This time if it can be true, else the time of receipt.
    func believed(at receipt: Timestamp) -> Timestamp {
        isBelieved(at: receipt) ? self : receipt
    }
}
