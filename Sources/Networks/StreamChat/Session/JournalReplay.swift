import ChatModel
import Sessions

/// Parses the part of the journal that a crash left unparsed.
///
/// Each message gets the same identity as live, so an interrupted replay can be repeated.
struct JournalReplay {
    /// The number of chunks that are read together: at most 4 MiB in reads of 64 KiB, and one transaction.
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
            // The chunks are small reads of one message, so more are read, up to a message's greatest length.
            if events.isEmpty { limit *= 2 } else { _ = try await sink.append(events) }
            let next = try await state.unparsedChunks(limit: limit)
            // If the store refuses the events, it returns the same chunks for ever. It has recorded the failure.
            if next.first == chunks.first, !events.isEmpty { return }
            chunks = next
        }
    }

    /// - Parameter isAll: True if no chunks follow, so that the last session's end will not get more bytes.
    private func events(of chunks: [JournalChunk], isAll: Bool, _ names: [String]) -> [ChatEvent] {
        var events: [ChatEvent] = []
        var open: (session: SessionID, decoder: StreamChatDecoder)?
        for chunk in chunks {
            if open?.session != chunk.session {
                events += open?.decoder.finish() ?? []
                open = (chunk.session, decoder(for: chunk, names))
            }
            events +=
                open?.decoder.decode(
                    chunk.bytes, at: chunk.receivedAt, filledBuffer: chunk.bytes.count >= TCPConnector.readSize) ?? []
        }
        if isAll { events += open?.decoder.finish() ?? [] }
        return events
    }

    private func decoder(for chunk: JournalChunk, _ names: [String]) -> StreamChatDecoder {
        StreamChatDecoder(session: chunk.session, configuration: configuration, names: names, offset: chunk.offset)
    }
}
