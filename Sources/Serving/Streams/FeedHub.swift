import Archive
import ChatModel
import Rendering
import Synchronization

/// The last changes of one account, for all of its followers: each change is read and rendered once.
final class FeedHub: Sendable {
    /// A change as it is sent.
    struct Event: Sendable {
        var position: FeedPosition
        var kind: FeedChange.Kind
        /// The room of the changed message or room; nil for others.
        var room: Int64?
        /// The change as JSON, without a line feed.
        var json: String

        init(_ change: FeedChange) {
            (position, kind) = (change.position, change.kind)
            room = change.room
            json = JSONValue(change).text
        }
    }

    /// The result of a follower's next read.
    enum Step: Sendable {
        case events([Event])
        /// There is nothing newer.
        case end
        /// The kept changes begin after the follower's position, or have another epoch.
        case behind
    }

    /// The limit of kept changes, and of their bytes. A follower that is further behind reads the archive itself.
    private static let limits = (events: 4096, bytes: 4 << 20)
    /// The limit of changes of one step, and the bytes after which it ends: each follower has one in memory.
    private static let step = (events: 256, bytes: 64 * 1024)

    /// The reason for a follower to read the hub.
    enum Signal: Sendable {
        case news, pulse
    }

    private struct State {
        var events: [Event] = []
        var bytes = 0
        /// The position before the first kept event.
        var start: FeedPosition
        var followers: [Int: AsyncStream<Signal>.Continuation] = [:]
        var next = 0
    }

    private let state: Mutex<State>

    /// - Parameter start: The feed's end when the hub began.
    init(start: FeedPosition) {
        state = Mutex(State(start: start))
    }

    func add(_ changes: [FeedChange]) {
        let new = changes.map(Event.init)
        let followers = state.withLock { state in
            if let reset = new.first, reset.kind == .reset {
                // Nothing before a reset counts. A follower reads the archive, which reports the reset.
                (state.events, state.bytes, state.start) = ([], 0, reset.position)
            }
            state.events += new.drop { $0.kind == .reset }
            state.bytes += new.reduce(0) { $0 + $1.json.utf8.count }
            var count = 0
            while state.events.count - count > Self.limits.events || state.bytes > Self.limits.bytes,
                count < state.events.count
            {
                state.bytes -= state.events[count].json.utf8.count
                state.start = state.events[count].position
                count += 1
            }
            state.events.removeFirst(count)
            return Array(state.followers.values)
        }
        for follower in followers { follower.yield(.news) }
    }

    /// Makes every follower send a sign of life.
    func pulse() {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.yield(.pulse) }
    }

    func step(after position: FeedPosition) -> Step {
        state.withLock { state in
            let start = state.start
            guard start.epoch == position.epoch, start.seq <= position.seq else { return .behind }
            guard let last = state.events.last?.position, last.seq > position.seq else {
                return position.seq == (state.events.last?.position ?? start).seq ? .end : .behind
            }
            // Positions grow, and most followers are near the end.
            var first = state.events.endIndex
            while first > 0, state.events[first - 1].position.seq > position.seq { first -= 1 }
            var bytes = 0
            let events = state.events[first...].prefix(Self.step.events).prefix { event in
                defer { bytes += event.json.utf8.count }
                return bytes < Self.step.bytes
            }
            return .events(Array(events))
        }
    }

    /// Returns a stream with an element whenever there may be something new, and regularly.
    func signals() -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        return stream
    }

    /// The feed's end when the hub began, before anything was added.
    var startPosition: FeedPosition { state.withLock(\.start) }

    var hasFollowers: Bool { state.withLock { !$0.followers.isEmpty } }

    /// Ends every stream of signals: the feed can't be read any more.
    func end() {
        let followers = state.withLock { state in
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
