import ChatModel
import SLPWire
import Sessions

/// The settings for reading the lists again.
private struct Check: Sendable, Equatable {
    var interval: Duration
    var channels: Set<String>
}

/// Tracks the account's rooms, and the work that is due in each.
extension SLPLink {
    /// Records a directory in the archive, subscribes to its new rooms, and drops rooms that it no longer lists.
    ///
    /// - Throws: An error of the archive, without whose list of rooms none could be dropped.
    func apply(_ directory: SLPDirectory) async throws {
        let stored = try await archive.listedRooms()
        let listed = Set(directory.rooms.map(\.namespace))
        let added = mailbox.withSession { state in
            var events = directory.events
            // An incomplete list does not prove that we left a room.
            for room in stored where directory.isWhole && !listed.contains(room.key) {
                events += left(room, isGone: false, &state)
            }
            let added = directory.rooms.filter { room in
                state.rooms[room.namespace]?.relist(room)
                guard state.rooms[room.namespace] == nil else { return false }
                state.rooms[room.namespace] = room
                state.restore(room.namespace)
                return true
            }
            // Comes before live messages, so that history is missing from there on, in any case.
            events += added.map { room in
                .covered(session: session, room: room.reference, from: room.beginning, to: room.beginning)
            }
            buffer.push(events)
            return added
        }
        for room in added { subscribe(room.namespace) }
        await buffer.waitForSpace()
    }

    func left(_ room: RoomReference, isGone: Bool, _ state: inout SLPLinkState) -> [ChatEvent] {
        let now = state.receipts.stamp(listener.tools.readClocks())
        release(room.key, &state)
        let wasLive = state.rooms.removeValue(forKey: room.key)?.liveSince != nil
        if wasLive {
            state.leave(room.key)
            _ = connection.disconnect(room.key)
        }
        let silent = ChatEvent.roomSilent(
            session: session, room: room, at: state.completeUntil, reason: isGone ? .gone : .left)
        return (wasLive ? [silent] : []) + [.roomUnlisted(room, isGone: isGone, at: now)]
    }

    func subscribe(_ namespace: String) {
        mailbox.withSession { state in
            let now = mailbox.elapsed
            // The wait of the first fetch begins here.
            if state.rooms[namespace]?.requests == 0 { state.rooms[namespace]?.triedAt = now }
            state.rooms[namespace]?.subscribedAt = now
            state.rooms[namespace]?.requests += 1
        }
        _ = connection.connect(namespace)
    }

    /// Reads all lists and every room's history again at intervals, regardless of received events, and when the wanted
    /// channels change.
    func checkAgain() async -> SessionEnd? {
        while true {
            await listener.watched.whileSame {
                Check(interval: $0.checkInterval, channels: $0.channels)
            } _: { [clock = listener.tools.clock] check in
                try? await clock.sleep(for: check.interval)
            }
            guard !Task.isCancelled else { return nil }
            do {
                let directory = try await SLPDirectory.read(
                    client, me: me, channels: configuration.channels, state: archive,
                    at: { listener.tools.readClocks().wall }
                )
                try await apply(directory)
            } catch {
                reportError(error, "the rooms can't be listed")
            }
            for namespace in mailbox.withSession({ Array($0.rooms.keys) }) { queue(namespace) }
        }
    }

    /// Writes the last sign of life, and retries failed fetches and subscriptions.
    func watch() async -> SessionEnd? {
        while (try? await listener.tools.clock.sleep(for: configuration.signOfLifeInterval)) != nil {
            let (lastSignOfLife, rooms) = mailbox.withSession { state in
                for namespace in state.heldFor(configuration.heldTime) { release(namespace, &state) }
                buffer.push([.signOfLife(session: session, at: state.completeUntil)])
                return (state.receipts.wall(at: state.lastSignOfLife), Array(state.rooms.values))
            }
            reporter.noteSignOfLife(at: lastSignOfLife)
            let now = mailbox.elapsed
            for room in rooms {
                if room.isDueToSubscribe(at: now, first: configuration.signOfLifeInterval) { subscribe(room.namespace) }
                // Also fetches a room whose namespace has no answer.
                if room.isDueToFetch(
                    at: now, first: configuration.signOfLifeInterval, grant: configuration.grantTimeout)
                {
                    queue(room.namespace)
                }
            }
        }
        return nil
    }
}
