import AsyncHTTPClient
package import ChatModel
package import Logging
package import NIOCore
package import SLPWire
package import Sessions
import Synchronization

/// One account's calls over HTTP. Every call logs in, renews tokens, slows down and retries as needed, and throws
/// ``CallError`` or `CancellationError` if that does not help.
package final class SLPClient: FileClient {
    private let transport: SLPTransport
    private let login: LoginTokens<SLPTokens, SLPTokenSource.Kind>
    private let known: Mutex<SLPGeneration?>
    private var limits: SLPLimits { transport.configuration.limits }

    private init(transport: SLPTransport) {
        self.transport = transport
        login = LoginTokens(transport.configuration.tokenFile, logger: transport.logger, access: \.access)
        known = Mutex(transport.configuration.generation)
    }

    /// Runs `body` with a client, and closes the client's connections after it.
    package static func with<Result: Sendable>(
        _ configuration: SLPConfiguration, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = { .now() }, traffic: Traffic? = nil, logger: Logger,
        group: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
        _ body: (SLPClient) async throws -> Result
    ) async throws -> Result {
        try await HTTPClient.scoped(group: group, configuration: httpConfiguration(configuration)) { http in
            let pace = SLPPace(limits: configuration.limits.pace, clock: clock)
            let transport = SLPTransport(
                http: http, configuration: configuration, pace: pace,
                serverClock: SLPServerClock(wallClock: wallClock), traffic: traffic, clock: clock, logger: logger)
            let (client, source) = (SLPClient(transport: transport), SLPTokenSource(transport: transport))
            return try await client.login.whileRunning({ try await source.tokens(by: $0, after: $1) }) {
                try await body(client)
            }
        }
    }

    /// Ends a login in progress and prevents others, so that calls that need one fail.
    func stopRenewing() {
        login.close()
    }

    /// Returns a configuration without a time limit for answers, because ``SLPLimits`` has one.
    private static func httpConfiguration(_ configuration: SLPConfiguration) -> HTTPClient.Configuration {
        var tls = TLSOptions().configuration
        if let authorities = configuration.authorities { tls.trust(authorities) }
        return HTTPClient.Configuration(tls, host: configuration.server.host)
    }

    /// The present time between two calls: longer than usual after the service refused calls as too many.
    package var interval: Duration { transport.pace.interval }

    /// The longest time by which the service's clock may be behind ours; 0 if it is ahead, and before the first answer.
    package var serverBehind: Duration { transport.serverClock.behind }

    /// Returns the configured generation, or the one to which the server answers. Tries the server once.
    ///
    /// - Throws: ``CallError`` `unexpected` if the server answers to neither.
    package func generation() async throws -> SLPGeneration {
        if let generation = known.withLock(\.self) { return generation }
        for generation in [SLPGeneration.two, .one] {
            do {
                _ = try await whole(.profile(generation))
                known.withLock { $0 = generation }
                return generation
            } catch let error as CallError where error.code == .refused || error.code == .gone {
                continue
            }
        }
        throw CallError(
            code: .unexpected,
            detail: "\(transport.configuration.server.origin) is not a known server: neither generation 1 nor 2")
    }

    /// Returns the account's own profile.
    package func profile() async throws -> DecodedElement<SLPProfile> {
        try await DecodedElement(whole(.profile(generation())))
    }

    /// Lists the workspaces that the account is in.
    package func workspaces() async throws -> [DecodedElement<SLPWorkspace>] {
        try await list(.workspaces)
    }

    /// Lists the channels that the account is in.
    package func channels(of workspace: String) async throws -> [DecodedElement<SLPChannel>] {
        try await list(.myChannels(of: workspace, generation()))
    }

    /// Lists all channels. Reading the history of one that the account is not in makes it join.
    package func allChannels(of workspace: String) async throws -> [DecodedElement<SLPChannel>] {
        try await list(.workspace(workspace), key: "channels")
    }

    /// Lists the account's direct rooms in a workspace.
    package func directRooms(of workspace: String) async throws -> [DecodedElement<SLPDirectRoom>] {
        try await list(.directRooms(of: workspace))
    }

    /// Lists the people in a workspace, given by its id.
    package func members(of workspace: String) async throws -> [DecodedElement<SLPUser>] {
        try await list(.members(ofWorkspace: workspace))
    }

    /// Lists the people in a channel; empty if the service has no such list.
    ///
    /// - Parameter channel: The channel, with its present name, because generation 1 has the name in the path.
    package func members(of channel: SLPRoomAddress) async throws -> [DecodedElement<SLPUser>] {
        guard let route = SLPRoute.members(of: channel, try await generation()) else { return [] }
        return try await list(route)
    }

    /// Returns a stream of a room's messages after an instant, oldest first; all messages if `after` is nil. A message
    /// of the instant itself may be among them. The instant is in microseconds since 1970.
    package func history(of room: SLPRoomAddress, after: Int64?) async throws -> SLPElements<SLPChat> {
        let generation = try await generation()
        if generation == .one, case .direct(_, _, "") = room {
            throw CallError(code: .refused, detail: "the other person is unknown, and the server takes no other key")
        }
        let route = SLPRoute.history(of: room, after: after, generation)
        let splitter = ElementSplitter(key: "chats", limits: limits.elements)
        return try await perform(SLPCall(route: route)) { SLPElements(body: self.body($0), splitter: splitter) }
    }

    /// Returns the service's count of unread messages since an instant, in microseconds since 1970.
    package func unread(in room: SLPRoomAddress, after: Int64) async throws -> Int {
        let answer = try await DecodedElement<SLPUnread>(whole(.unread(in: room, after: after, generation())))
        guard case .value(let unread, _) = answer else {
            throw CallError(code: .unexpected, detail: "the answer has no count of unread messages")
        }
        return unread.count
    }

    /// Opens a file of a message or a profile.
    ///
    /// - Parameters:
    ///   - path: The path or address from the service. It must be on the account's server, and must not be one of the
    ///     service's calls.
    ///   - offset: The first byte to read. The answer may begin at 0 instead (``FetchedFile/offset``).
    ///   - tag: ``FetchedFile/tag`` of the answer that this call continues.
    /// - Throws: ``CallError`` `foreignOrigin` for any other path, and `gone` if the service has no such file.
    package func file(_ path: String, from offset: Int = 0, tag: String? = nil) async throws -> FetchedFile {
        guard let own = SLPFilePath(path, base: transport.configuration.base) else {
            throw CallError(
                code: .foreignOrigin, detail: "it is on another server, or not a file")
        }
        let call = SLPCall(route: .file(own.path), resume: (offset, tag))
        return try await perform(call, refusalError: { CallError(ofFile: $0) }) {
            try FetchedFile($0, resume: offset, limit: self.limits.fileBytes, body: self.body($0))
        }
    }

    private func list<Value: Decodable>(_ route: SLPRoute, key: String? = nil) async throws -> [DecodedElement<Value>] {
        var elements = limits.elements
        elements.envelopeBytes = limits.listBytes
        return try await perform(SLPCall(route: route)) { response in
            let body = self.body(response, limit: self.limits.listBytes)
            var splitter = ElementSplitter(key: key, limits: elements)
            var list: [DecodedElement<Value>] = []
            do {
                while let piece = try await body.next() {
                    splitter.read(piece)
                    while let element = try splitter.next() {
                        guard list.count < self.limits.listElements else { throw self.tooManyElements }
                        list.append(DecodedElement(element).withoutRaw)
                        // Yields to other accounts, which share the threads. 64 elements take about 1 ms.
                        if list.count.isMultiple(of: 64) { await Task.yield() }
                    }
                }
            } catch let error as SplitError {
                throw CallError(code: .unexpected, detail: error.detail)
            }
            guard splitter.isComplete else {
                throw CallError(code: .unexpected, detail: "the answer ends in the middle of a list")
            }
            return list
        }
    }

    private var tooManyElements: CallError {
        CallError(code: .tooLarge, detail: "the list has more than \(limits.listElements) elements")
    }

    private func whole(_ route: SLPRoute) async throws -> [UInt8] {
        try await perform(SLPCall(route: route)) { try await self.body($0, limit: self.limits.listBytes).whole() }
    }

    private func body(_ response: HTTPClientResponse, limit: Int = .max) -> HTTPBody {
        HTTPBody(
            response, limit: limit, idle: limits.idle, clock: transport.clock, traffic: transport.traffic,
            failure: CallError.init)
    }

    /// Makes a call with the present token; if that is refused, with a refreshed token; if that is refused, with a
    /// token from a new login.
    private func perform<Value>(
        _ call: SLPCall, refusalError: (SLPRefusal) -> CallError = { CallError($0) },
        read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        var call = call
        var access = try await login.get(by: .login).access
        for renewal in [SLPTokenSource.Kind.refresh, .login, nil] {
            call.access = access
            switch try await transport.answer(to: call, read: read) {
            case .value(let value): return value
            case .refused(let refusal):
                guard refusal.isAboutTokens else { throw await noting(refusalError(refusal)) }
                // The trouble is the service's and may pass. A person can't correct it.
                guard let renewal else {
                    throw CallError(
                        code: .unavailable,
                        detail: "the server answered \(refusal.description) to a token that it has just issued")
                }
                let kind = refusal.reaction == .logIn ? .login : renewal
                access = try await login.get(after: access, by: kind).access
            }
        }
        preconditionFailure("the last one returns or throws")
    }

    private func noting(_ error: CallError) async -> CallError {
        if error.code == .accountStopped { await login.stop(error) }
        return error
    }
}

extension DecodedElement {
    /// The element without its bytes, which are not needed for lists.
    fileprivate var withoutRaw: Self {
        switch self {
        case .value(let value, _): .value(value, raw: [])
        case .malformed(_, let detail): .malformed(raw: [], detail: detail)
        }
    }
}

extension SLPRefusal {
    fileprivate var isAboutTokens: Bool {
        reaction == .refresh || reaction == .logIn || reaction == .keepToken
    }
}
