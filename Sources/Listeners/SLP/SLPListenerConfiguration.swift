import SLPWire

/// Which workspace service to archive, and how.
package struct SLPListenerConfiguration: ListenerConfiguration {
    /// The service's HTTP interface.
    package var service: SLPConfiguration
    /// Its Socket.IO server.
    package var socket: SocketIOConfiguration
    /// Names of channels to read though the account is not in them; reading joins them.
    package var channels: Set<String> = []
    /// How far before the complete part history is requested: clocks differ, and messages are dated before they are
    /// visible.
    package var overlap: Duration = .seconds(60)
    /// The interval at which each room's history and the lists of rooms and people are read again, whatever was received.
    package var checkInterval: Duration = .seconds(600)
    /// The time that a room's history waits for the answer to its subscription.
    package var grantTimeout: Duration = .seconds(10)
    /// The number of rooms whose history is fetched at once.
    package var fetchesAtOnce = 4
    /// The interval at which the last sign of life is written, and so the most time that a crash removes from what is known
    /// complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// Bytes received and not yet stored at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// The time that live messages of a room wait for the history that is being fetched. Later ones don't count as known
    /// complete before they are stored, and 60 s without a sign of life count as a gap.
    package var heldTime: Duration = .seconds(30)
    /// The approximate size of waiting live messages at which they no longer wait for history: some 3,000 short
    /// messages.
    package var heldBytes = 4 * 1024 * 1024
    /// The most spans of rooms that unreadable messages of one session may end, as in IRC: with 50 rooms, two thousand
    /// of them.
    package var maximumEffort = 100_000
    /// The time that storing the received events may take after a stop.
    package var storeTimeout = StopTimes.storing
    /// Reads the credentials as they are now; nil where they can't be read. Somebody may correct them while the account
    /// waits.
    package var currentCredentials: @Sendable () -> SLPCredentials? = { nil }
    /// The interval at which credentials and tokens are read while the service refuses them.
    package var loginCheckInterval: Duration = .seconds(10)
    /// Which files to fetch, and how.
    package var files = SLPFileLimits()
    /// Waits between attempts to connect.
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))

    package init(service: SLPConfiguration, socket: SocketIOConfiguration) {
        (self.service, self.socket) = (service, socket)
    }

    /// The service with the present credentials.
    var currentService: SLPConfiguration {
        var service = service
        if let credentials = currentCredentials() { service.credentials = credentials }
        return service
    }
}
