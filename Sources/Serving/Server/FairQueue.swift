/// The sender of requests, as places and memory are shared out.
enum Share: Sendable, Hashable {
    case owner
    /// A token, by its SHA-256.
    case token(String)
}

/// The order in which requests get places: one of each sender in turn, and never all places for tokens.
struct FairQueue {
    struct Limits: Sendable {
        /// The number of requests that run at once.
        var running = 8
        /// Half of them, so that other senders find a place while one token does its worst.
        var runningOfToken = 4
        /// Fewer than all, so that the owner finds a place while several tokens do their worst.
        var runningOfTokens = 6
        /// The number of requests that wait.
        var waitingOfSender = 128
        var waitingOfTokens = 384

        /// One place for requests that include compressed accounts: expanding them takes long, and the disk's space.
        static let cold = Limits(running: 1, runningOfToken: 1, runningOfTokens: 1)
    }

    /// The fate of a request that comes.
    enum Entry: Equatable {
        case runs, waits, refused
    }

    /// A request by its number.
    struct Request: Sendable, Hashable {
        var number: Int
        var share: Share
    }

    let limits: Limits
    private var running: [Share: Int] = [:]
    private var waiting: [Share: [Request]] = [:]
    /// The senders with waiting requests, in the order of their turns.
    private var turns: [Share] = []

    init(_ limits: Limits = Limits()) { self.limits = limits }

    mutating func enter(_ request: Request) -> Entry {
        let share = request.share
        if mayRun(share) {
            running[share, default: 0] += 1
            return .runs
        }
        guard mayWait(share) else { return .refused }
        if waiting[share, default: []].isEmpty { turns.append(share) }
        waiting[share, default: []].append(request)
        return .waits
    }

    /// Removes a request that waits. Returns false if it does not wait.
    mutating func leave(_ request: Request) -> Bool {
        let share = request.share
        guard let index = waiting[share]?.firstIndex(of: request) else { return false }
        waiting[share]?.remove(at: index)
        if waiting[share]?.isEmpty == true { forget(share) }
        return true
    }

    /// Ends a request that ran. Returns the requests that run now in its place.
    mutating func finish(_ share: Share) -> [Request] {
        let left = running[share, default: 0] - 1
        running[share] = left > 0 ? left : nil
        var started: [Request] = []
        while let next = turns.first(where: mayRun), let request = waiting[next]?.first {
            waiting[next]?.removeFirst()
            turns.removeAll { $0 == next }
            if waiting[next]?.isEmpty == true { forget(next) } else { turns.append(next) }
            running[next, default: 0] += 1
            started.append(request)
        }
        return started
    }

    private mutating func forget(_ share: Share) {
        waiting[share] = nil
        turns.removeAll { $0 == share }
    }

    private func mayRun(_ share: Share) -> Bool {
        guard running.values.reduce(0, +) < limits.running else { return false }
        guard share != .owner else { return true }
        let ofTokens = running.reduce(0) { $0 + ($1.key == .owner ? 0 : $1.value) }
        return running[share, default: 0] < limits.runningOfToken && ofTokens < limits.runningOfTokens
    }

    private func mayWait(_ share: Share) -> Bool {
        guard waiting[share, default: []].count < limits.waitingOfSender else { return false }
        let ofTokens = waiting.reduce(0) { $0 + ($1.key == .owner ? 0 : $1.value.count) }
        return share == .owner || ofTokens < limits.waitingOfTokens
    }
}
