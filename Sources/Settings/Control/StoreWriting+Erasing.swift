import Archive
package import ChatModel

extension StoreWriting {
    /// Erases a room. After an interruption, another call does the rest.
    ///
    /// - Parameters:
    ///   - end: The time at which the work pauses if the room is not gone yet; nil to do all of it.
    ///   - progress: Receives the number of messages erased so far, after each step.
    /// - Returns: The progress, whose `next` is nil if everything is done.
    /// - Throws: ``ServiceError`` if the listener refuses, ``ArchiveError`` when the file can't be written.
    package func erase(
        room: Int64, of account: String, until end: ContinuousClock.Instant? = nil,
        progress: (_ messages: Int64) -> Void = { _ in }
    ) async throws -> ErasingProgress {
        var done = ErasingProgress()
        repeat {
            let step = try await perform(.eraseRoom(account: account, room, from: done.next)).erased
            done.messages += step?.messages ?? 0
            done.isClean = step?.isClean ?? true
            done.next = step?.next
            progress(done.messages)
        } while done.next.map { next in next.isGone || end.map { .now < $0 } ?? true } ?? false
        return done
    }
}
