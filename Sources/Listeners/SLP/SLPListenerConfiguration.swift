import SLPWire

/// Which workspace service to archive, and how.
package struct SLPListenerConfiguration: ListenerConfiguration {
    package var service: SLPConfiguration
    package var socket: SocketIOConfiguration
    /// Channels to read though the account is not in them, by name: reading joins them.
    package var channels: Set<String> = []
    /// History is asked for from so long before what is complete: clocks differ, and messages are dated before they are seen.
    package var overlap: Duration = .seconds(60)
    /// How often each room's history and the lists of rooms and people are asked for again, whatever was heard.
    package var checkInterval: Duration = .seconds(600)
    /// How long a room's history waits for the answer to its subscription, where that does not come.
    package var grantTimeout: Duration = .seconds(10)
    /// Rooms whose history is fetched at once.
    package var fetchesAtOnce = 4
    /// How often the last sign of life is written down, and so by how much a crash shortens what is known complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// Bytes heard and not yet stored, at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// How long what is heard in a room whose history is still being fetched waits for that. Nothing heard later counts as
    /// known complete before it is stored, and 60 s without a sign of life is taken for a gap.
    package var heldTime: Duration = .seconds(30)
    /// Bytes of memory, about, that is heard in rooms whose history is still being fetched, at which it no longer waits for
    /// that: some 3,000 short messages.
    package var heldBytes = 4 * 1024 * 1024
    /// Spans of rooms that what can't be read in one session may cut, as of IRC: of 50 rooms, two thousand times.
    package var maximumEffort = 100_000
    /// How long storing what was received may take after a stop.
    package var storeTimeout = StopTimes.storing
    /// What there is to log in with by now; nil where that can't be told. Somebody may mend it while we wait.
    package var currentCredentials: @Sendable () -> SLPCredentials? = { nil }
    /// How often that is looked at while nothing else helps.
    package var mendInterval: Duration = .seconds(10)
    package var files = SLPFileLimits()
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))

    package init(service: SLPConfiguration, socket: SocketIOConfiguration) {
        (self.service, self.socket) = (service, socket)
    }
}
