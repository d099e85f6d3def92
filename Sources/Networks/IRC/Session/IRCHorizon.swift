import ChatModel
import IRCWire
import Sessions

/// The time back to which the history of rooms that were never archived is requested.
enum IRCHorizon {
    case nothing
    /// Milliseconds since 1970 by the network's clock; nil for all of the server's history.
    case back(to: Int64?)

    /// Creates the configured horizon.
    init(_ presence: IRCPresence) {
        guard let days = presence.configuration.historyDays else {
            self = .back(to: nil)
            return
        }
        let opening = presence.networkTime(presence.openedAt)
        self = days > 0 ? .back(to: opening.advanced(by: .seconds(-86_400 * days)).milliseconds) : .nothing
    }

    /// Returns the request for the history before the archive's beginning; nil if that was already fetched.
    func start(before start: HistoryStart?, liveSince: Timestamp) -> HistoryFill.Start? {
        guard case .back(let horizon) = self else { return nil }
        guard let start, start.archivedSince < liveSince else { return .latest(horizon: horizon) }
        let end = horizon.map { Timestamp(milliseconds: $0) } ?? .earliestPlausible
        if let requested = start.fetchedBackTo, requested <= end { return nil }
        return .before(start.archivedSince.milliseconds + 1, horizon: horizon)
    }
}
