import ChatModel

/// Parses the part of the journal that a crash left unparsed.
///
/// Each message gets the identity that it had, or would have had, live: a replay that is interrupted can be repeated.
struct JournalReplay {
    /// Chunks that are read together: at most 4 MiB in reads of 64 KiB, and one transaction.
    private static let chunksAtOnce = 64

    let configuration: StreamChatConfiguration
    let state: any ListenerState
    let sink: any EventSink

    /// Returns when everything is parsed, or when the rest can't be stored.
    func run() async throws {
        var limit = Self.chunksAtOnce
        var chunks = try await state.unparsedChunks(limit: limit)
        guard !chunks.isEmpty else { return }
        let names = try await state.knownNames(
            room: configuration.roomReference, limit: StreamChatListener.knownNames)
        while !chunks.isEmpty {
            let events = events(of: chunks, isAll: chunks.count < limit, names)
            // Many small reads of one message, which a message's greatest length ends.
            if events.isEmpty { limit *= 2 } else { _ = try await sink.append(events) }
            let next = try await state.unparsedChunks(limit: limit)
            // A store that could not take it would give the same for ever; it has noted the failure.
            if next.first == chunks.first, !events.isEmpty { return }
            chunks = next
        }
    }

    /// - Parameter isAll: True when nothing follows, so that the last session's end is as complete as it will ever be.
    private func events(of chunks: [JournalChunk], isAll: Bool, _ names: [String]) -> [ChatEvent] {
        var events: [ChatEvent] = []
        var open: (session: SessionID, decoder: StreamChatDecoder)?
        for chunk in chunks {
            if open?.session != chunk.session {
                events += open?.decoder.finish() ?? []
                open = (chunk.session, decoder(for: chunk, names))
            }
            events +=
                open?.decoder.read(
                    chunk.bytes, at: chunk.receivedAt, filledBuffer: chunk.bytes.count >= TCPConnector.readSize) ?? []
        }
        if isAll { events += open?.decoder.finish() ?? [] }
        return events
    }

    private func decoder(for chunk: JournalChunk, _ names: [String]) -> StreamChatDecoder {
        StreamChatDecoder(session: chunk.session, configuration: configuration, names: names, offset: chunk.offset)
    }
}
