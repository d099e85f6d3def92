import AsyncHTTPClient
import Bytes
import ChatModel
import FoundationEssentials
import Logging
import MatrixWire
package import NIOCore
import NIOHTTP1
package import Sessions
import Synchronization

/// One account's calls to its homeserver (client-server API v1.11). Every call logs in, refreshes the token, waits as the
/// server asks, and retries as needed.
package final class MatrixClient: Sendable {
    let configuration: MatrixListenerConfiguration
    private let http: HTTPClient
    private let traffic: Traffic?
    private let clock: any Clock<Duration>
    let logger: Logger
    /// A renewal knows if the device stays, so that a login continues it.
    private let login: LoginTokens<MatrixTokens, Bool>

    private init(
        _ configuration: MatrixListenerConfiguration, http: HTTPClient, traffic: Traffic?, tools: ListenerTools
    ) {
        (self.configuration, self.http, self.traffic) = (configuration, http, traffic)
        (clock, logger) = (tools.clock, tools.logger)
        let credentials = configuration.credentials
        // The account's id comes with the first answer.
        let given = credentials.token.map { MatrixTokens(access: $0, refresh: nil, user: "", device: nil) }
        let file = LoginFile<MatrixTokens>(
            path: configuration.tokenPath, server: configuration.server, login: credentials.user)
        login = LoginTokens(file, first: given, logger: tools.logger, access: \.access)
    }

    /// Runs `body` with a client, and closes the client's connections after it.
    package static func with<Result: Sendable>(
        _ configuration: MatrixListenerConfiguration, traffic: Traffic?, tools: ListenerTools,
        group: any EventLoopGroup, _ body: (MatrixClient) async throws -> Result
    ) async throws -> Result {
        let http = HTTPClient.Configuration(configuration.tls, host: configuration.server.host)
        return try await HTTPClient.scoped(group: group, configuration: http) { http in
            let client = MatrixClient(configuration, http: http, traffic: traffic, tools: tools)
            return try await client.login.whileRunning({ try await client.renewed($1, deviceStays: $0) }) {
                try await body(client)
            }
        }
    }

    /// A call below `/_matrix/client`.
    struct Call: Sendable {
        var method: HTTPMethod = .GET
        var path: String
        var query: [(String, String)] = []
        var body: [UInt8]?
        /// The time for which the server may wait with its answer.
        var wait: Duration = .zero
        var needsLogin = true
        var headers: [(String, String)] = []
        /// The limit of bytes of the answer.
        var limit = 1 << 20
    }

    /// Makes a call, and gives the pieces of its answer to a reader, which is made for each attempt.
    ///
    /// - Throws: ``CallError`` after the last attempt, `CancellationError`.
    func readAnswer<Reader>(
        _ call: Call, into make: () -> Reader, _ take: (inout Reader, [UInt8]) async throws -> Void
    ) async throws -> Reader {
        var backoff = Backoff(limits: configuration.callBackoff)
        var random = SystemRandomNumberGenerator()
        var hasLoggedIn = false
        while true {
            let token = call.needsLogin ? try await login.get(by: false).access : nil
            do {
                return try await attempt(call, token: token, into: make, take)
            } catch let refusal as Refused {
                switch refusal.value.reaction {
                case .logIn where token != nil && !hasLoggedIn:
                    hasLoggedIn = true
                    _ = try await login.get(after: token ?? "", by: refusal.value.isSoftLogout)
                case .wait, .retry:
                    let wait = max(backoff.next(afterUptime: nil, using: &random), refusal.value.retryAfter ?? .zero)
                    guard backoff.failures < configuration.tries else { throw CallError(refusal.value) }
                    logger.info(
                        "the server asks to wait",
                        metadata: ["reason": "\(refusal.value.text)", "wait": "\(wait.rounded)"])
                    try await clock.sleep(for: wait)
                default: throw CallError(refusal.value)
                }
            } catch let failure as TakeFailure {
                throw failure
            } catch {
                try Task.checkCancellation()
                let failure = CallError(ofCall: error, at: configuration.server)
                let wait = backoff.next(afterUptime: nil, using: &random)
                guard backoff.failures < configuration.tries, failure.isTemporary else {
                    throw failure
                }
                try await clock.sleep(for: wait)
            }
        }
    }

    private func attempt<Reader>(
        _ call: Call, token: String?, into make: () -> Reader, _ take: (inout Reader, [UInt8]) async throws -> Void
    ) async throws -> Reader {
        let response = try await send(call, token: token)
        var reader = make()
        let body = body(of: response, limit: call.limit)
        while let piece = try await body.next() { try await take(&reader, piece) }
        return reader
    }

    /// Makes a call once, or twice if the token has expired, and returns the beginning of its answer.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func open(_ call: Call) async throws -> HTTPClientResponse {
        for isLast in [false, true] {
            let token = try await login.get(by: false).access
            do {
                return try await send(call, token: token)
            } catch let refusal as Refused {
                guard !isLast, refusal.value.reaction == .logIn else { throw CallError(refusal.value) }
                _ = try await login.get(after: token, by: refusal.value.isSoftLogout)
            } catch {
                try Task.checkCancellation()
                throw CallError(ofCall: error, at: configuration.server)
            }
        }
        throw CallError(code: .unavailable, detail: "no answer")
    }

    /// Makes a call, and decodes its answer.
    func value<Value: Decodable>(_ call: Call, _: Value.Type = Value.self) async throws -> Value {
        let bytes = try await readAnswer(call, into: { [UInt8]() }) { $0 += $1 }
        // The decoder's error may contain the text, and so a token.
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else {
            throw CallError(code: .unexpected, detail: "the answer to \(call.path) can't be read")
        }
        return value
    }

    /// An error of the reader of an answer, which another call would not change.
    struct TakeFailure: Error { var reason: any Error }

    private static func taking(_ body: () async throws -> Void) async throws {
        do { try await body() } catch { throw TakeFailure(reason: error) }
    }

    /// An answer with an error.
    private struct Refused: Error { var value: MatrixRefusal }

    private func send(_ call: Call, token: String?) async throws -> HTTPClientResponse {
        let query = call.query.map { "\(PercentCode.encode($0.0))=\(PercentCode.encode($0.1))" }.joined(separator: "&")
        var request = HTTPClientRequest(
            url: "\(configuration.server.origin)/_matrix/client\(call.path)" + (query.isEmpty ? "" : "?\(query)"))
        request.method = call.method
        if call.headers.isEmpty { request.headers.add(name: "Accept", value: "*/*") }
        for (name, value) in call.headers { request.headers.add(name: name, value: value) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body = call.body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        let deadline = NIODeadline.now() + TimeAmount(configuration.answer + call.wait)
        let response = try await http.execute(request, deadline: deadline)
        guard !(200..<300).contains(response.status.code) else { return response }
        let retry = response.headers.first(name: "Retry-After")
        let bytes = try await body(of: response).beginning(MatrixRefusal.bodyBytes)
        throw Refused(value: MatrixRefusal(status: Int(response.status.code), body: bytes, retryAfter: retry))
    }

    func body(of response: HTTPClientResponse, limit: Int = .max) -> HTTPBody {
        HTTPBody(
            response, limit: limit, idle: configuration.answer, clock: clock, traffic: traffic,
            failure: CallError.init)
    }
}

/// The calls of the API.
extension MatrixClient {
    private struct Whoami: Decodable { var user_id: String }

    /// Asks the server for the account's id.
    func whoami() async throws -> String {
        try await value(Call(path: "/v3/account/whoami"), Whoami.self).user_id
    }

    /// Makes a sync, and gives each of its items as it comes.
    ///
    /// - Parameters:
    ///   - since: The place of the last sync; nil for the first.
    ///   - wait: How long the server may wait for something to happen.
    func sync(
        since: String?, wait: Duration, filter: MatrixFilter, _ take: (MatrixSync.Item) async throws -> Void
    ) async throws {
        var query = [
            ("timeout", "\(Int(wait / .milliseconds(1)))"), ("filter", filter.text), ("set_presence", "offline"),
        ]
        if let since { query.append(("since", since)) }
        let call = Call(path: "/v3/sync", query: query, wait: wait, limit: .max)
        var sync = try await readAnswer(call, into: MatrixSync.init) { sync, piece in
            for item in try sync.readItems(piece) { try await Self.taking { try await take(item) } }
        }
        for item in try sync.finish() { try await Self.taking { try await take(item) } }
    }

    /// Returns a page of a room's history, the newest events first.
    ///
    /// - Parameter from: The place before which the page ends; nil for the end of the room.
    func messages(room: String, from: String?) async throws -> MatrixMessages {
        do {
            return try await messages(room: room, from: from, count: configuration.historyPage)
        } catch let error as CallError where error.code == .tooLarge {
            return try await messages(room: room, from: from, count: Self.fewEvents)
        }
    }

    /// The limit of bytes of a page: 250 events of 16 KiB, more than most rooms have.
    private static let pageBytes = 4 << 20
    /// The number of events of a page where more are larger: an event has 64 KiB, and at most as much for its last edit.
    private static let fewEvents = 10

    private func messages(room: String, from: String?, count: Int) async throws -> MatrixMessages {
        var query = [("dir", "b"), ("limit", "\(count)"), ("filter", #"{"lazy_load_members":true}"#)]
        if let from { query.append(("from", from)) }
        let path = "/v3/rooms/\(PercentCode.encode(room))/messages"
        let call = Call(path: path, query: query, limit: Self.pageBytes)
        let page = try await readAnswer(call, into: MatrixMessages.init) { try $0.readPart($1) }
        guard page.isComplete else { throw CallError(code: .cut, detail: "the answer to /messages is incomplete") }
        return page
    }

    /// Returns the facts about the account that a session needs.
    func account() async throws -> MatrixAccount {
        let rooms = try await value(Call(path: "/v3/joined_rooms", limit: 8 << 20), JoinedRooms.self).joined_rooms
        let known = try await login.get(by: false).user
        let user = known.isEmpty ? try await whoami() : known
        return MatrixAccount(id: user, joinedRooms: Set(rooms), data: try await accountData(of: user))
    }

    private struct JoinedRooms: Decodable { var joined_rooms: [String] }

    /// Returns the account's settings that matter for an archive.
    private func accountData(of user: String) async throws -> [MatrixAccountData] {
        let user = PercentCode.encode(user)
        var found: [MatrixAccountData] = []
        for type in [MatrixAccountData.directType, MatrixAccountData.ignoredType] {
            do {
                let call = Call(path: "/v3/user/\(user)/account_data/\(type)")
                let content = try await readAnswer(call, into: { [UInt8]() }) { $0 += $1 }
                if let data = MatrixAccountData(type: type, content: content) { found.append(data) }
            } catch let error as CallError where error.code == .gone {
                // An account that never set it has none.
                continue
            }
        }
        return found
    }
}
