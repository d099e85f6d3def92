import Files
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The open connections of the server.
///
/// At their limit, the connection that has been without a request for the longest time closes, so that connections that
/// nobody uses keep no reader out. If all have a request, further ones wait until one has not.
final class OpenConnections: AvailableConnectionsDelegate, Sendable {
    private let reserve: DescriptorReserve
    private let state = Mutex(State())

    private struct State {
        var count = 0
        /// The connections without a request, by the number of connections and requests that ended before.
        var idle: [ObjectIdentifier: (channel: any Channel, since: UInt64)] = [:]
        var ends: UInt64 = 0
        /// True if others wait, and no connection is without a request.
        var isWanted = false
    }

    /// The largest number of connections, if the process may have enough descriptors.
    static let maximum = 12_000
    /// The least number of connections.
    private static let minimum = 8

    init(reserve: DescriptorReserve) {
        self.reserve = reserve
    }

    /// The limit. Readers need as many descriptors for files as for connections.
    private var limit: Int { min(Self.maximum, max(Self.minimum, reserve.available / 2)) }

    func connectionOpened() { state.withLock { $0.count += 1 } }
    func connectionClosed() { state.withLock { $0.count -= 1 } }

    /// Returns true if a further connection may open. Otherwise closes one that is not used.
    func isAcceptingNewConnections() -> Bool {
        let (limit, hasFree) = (limit, reserve.hasFreeForConnection)
        let (isAccepting, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
            guard state.count >= limit || !hasFree && state.count >= Self.minimum else { return (true, nil) }
            let oldest = state.idle.min { $0.value.since < $1.value.since }
            if let oldest { state.idle[oldest.key] = nil }
            state.isWanted = oldest == nil
            return (false, oldest?.value.channel)
        }
        oldest?.close(promise: nil)
        return isAccepting
    }

    /// Notes that a connection waits for a request. Closes it if others wait for its place.
    func becameIdle(_ channel: any Channel) {
        let isWanted = state.withLock { state -> Bool in
            defer { state.isWanted = false }
            guard !state.isWanted else { return true }
            state.ends += 1
            state.idle[ObjectIdentifier(channel)] = (channel, state.ends)
            return false
        }
        if isWanted { channel.close(promise: nil) }
    }

    /// Notes that a connection has a request, or has ended.
    func becameBusy(_ channel: any Channel) { state.withLock { $0.idle[ObjectIdentifier(channel)] = nil } }
}

/// Reports to ``OpenConnections`` when a connection has a request.
final class RequestCounter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let connections: OpenConnections
    /// The requests that have no complete answer yet.
    private var requests = 0

    init(_ connections: OpenConnections) {
        self.connections = connections
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.becameIdle(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.becameBusy(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            requests += 1
            connections.becameBusy(context.channel)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let sent = promise ?? context.eventLoop.makePromise()
        let (counter, channel) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.channel)
        sent.futureResult.whenSuccess {
            counter.value.requests = max(0, counter.value.requests - 1)
            if counter.value.requests == 0 { counter.value.connections.becameIdle(channel) }
        }
        context.write(data, promise: sent)
    }
}
