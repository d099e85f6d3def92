import ChatModel
import SLPWire
package import Sessions

/// The configuration of an account of a workspace service.
package struct SLPListenerConfiguration: LoginConfiguration {
    /// The service's HTTP interface.
    package var service: SLPConfiguration
    /// The service's Socket.IO server.
    package var socket: SocketIOConfiguration
    /// The names of channels to read although the account is not in them. Reading a channel joins it.
    package var channels: Set<String> = []
    /// The time by which requests for history begin before the end of the complete part, because clocks differ and
    /// messages get their time before they are visible.
    package var overlap: Duration = .seconds(60)
    /// The interval at which each room's history and the lists of rooms and people are read again, regardless of
    /// received events.
    package var checkInterval: Duration = .seconds(600)
    /// The time that the fetch of a room's history waits for the answer to its subscription.
    package var grantTimeout: Duration = .seconds(10)
    /// The number of rooms whose history is fetched at once.
    package var fetchesAtOnce = 4
    /// The interval at which the last sign of life is written. A crash loses at most this much coverage.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// The size of received events that are not stored, in bytes, at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// The time that live messages of a room wait for its history. While they wait, no sign of life is recorded, and 60
    /// s without one count as a gap.
    package var heldTime: Duration = .seconds(30)
    /// The approximate size in bytes above which live messages no longer wait for history: some 3,000 short messages.
    package var heldBytes = 4 * 1024 * 1024
    /// The limit of spans that unreadable messages of one session may end, as in IRC: with 50 rooms, 2,000 of them.
    package var maximumEffort = 100_000
    /// The time limit for storing the received events after a stop.
    package var storeTimeout = StopTimes.storing
    /// Reads the present credentials; nil if they can't be read. A person may correct them while the account waits.
    package var currentCredentials: @Sendable () -> SLPCredentials? = { nil }
    /// The interval at which credentials and tokens are read while the service refuses them.
    package var loginCheckInterval: Duration = .seconds(10)
    /// The files to fetch, and the limits of fetching.
    package var files = AttachmentLimits()
    /// The waits between attempts to connect.
    package var backoff = Backoff.Limits(first: .seconds(2), longest: .seconds(300))

    package init(service: SLPConfiguration, socket: SocketIOConfiguration) {
        (self.service, self.socket) = (service, socket)
    }

    package var login: SLPLogin { SLPLogin(service) }

    package var currentLogin: SLPLogin? {
        var service = service
        if let credentials = currentCredentials() { service.credentials = credentials }
        return SLPLogin(service)
    }

    package func withTokens(_ login: SLPLogin) -> SLPLogin { login.withTokens(service) }
}
