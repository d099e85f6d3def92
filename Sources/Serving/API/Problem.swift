import Accounts
import ChatModel
import Files
import HTTPTypes
import Hummingbird
import Operations
import PostgreSQL
import Rendering
import Settings

/// An error as an answer: the status, a code that `docs/errors/` explains, and a text (RFC 9457).
struct Problem: Error {
    var status: HTTPResponse.Status
    var code: String
    var detail: String
    var hint: String?
    /// The seconds after which a client may try again.
    var retryAfter: Int?
    /// The reason for the log, where ``detail`` does not have it.
    var cause: String?

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, hint: String? = nil, retryAfter: Int? = nil) {
        (self.status, self.code, self.detail, self.hint, self.retryAfter) = (status, code, detail, hint, retryAfter)
    }

    /// The answer for addresses that are forbidden and for those that don't exist, so that it does not reveal which
    /// exist.
    static let notFound = Problem(.notFound, "not-found", "there is nothing at this address")

    static let busy = Problem(
        .serviceUnavailable, "busy", "too many requests are waiting; try again in a second", retryAfter: 1)

    /// The words for every error of a shared archive's server.
    static let unreachable = "the shared archive can't be read or written at present; the server's log says more"
    /// Returns the problem of a sender whose clients do not read their answers.
    static func unread(_ bytes: Int) -> Problem {
        Problem(
            .tooManyRequests, "unread", "\(ByteCount(Int64(bytes))) of answers to you wait to be sent",
            hint: "read the answers, or close their connections", retryAfter: 5)
    }

    /// Returns the problem for an error; nil for a cancellation.
    init?(_ error: any Error) {
        let error: any Error = (error as? UsageError)?.coded ?? error
        switch error {
        case let problem as Problem: self = problem
        case let error as UsageError: self.init(.badRequest, "usage", OptionNames.replaced(in: error.message))
        case let error as QueryError: self.init(.badRequest, "usage", error.detail)
        case let error as OperationError:
            self.init(
                Self.status(error.code), error.code.rawValue, OptionNames.replaced(in: error.detail),
                hint: error.hint.map { OptionNames.replaced(in: $0) })
        case let error as ArchiveError:
            self.init(
                Self.status(error.code), error.code.rawValue, error.detail, hint: Self.hint(error.code),
                retryAfter: error.code == .tooManyOpen ? 10 : nil)
        case let error as PostgreSQLError:
            self.init(.serviceUnavailable, "postgresql", Self.unreachable)
            // The server and libpq name hosts, ports, users and databases.
            cause = error.detail
        case let error as SharedArchiveError: self.init(.serviceUnavailable, "postgresql", "\(error)")
        case let error as ServiceError:
            self.init(.serviceUnavailable, error.code.rawValue, error.detail, hint: error.hint)
        case is ReadingPool.Busy: self = .busy
        case let error as any HTTPResponseError: self = Self.problem(of: error.status)
        case is CancellationError: return nil
        default: self.init(.internalServerError, "internal", "the server failed; its log says more")
        }
    }

    /// Returns the problem for an error of the library: no such route, or a body beyond its limit.
    private static func problem(of status: HTTPResponse.Status) -> Problem {
        switch status {
        case .notFound: notFound
        case .contentTooLarge: Problem(status, "usage", "the body of the request is too large")
        default: Problem(status, "usage", status.reasonPhrase)
        }
    }

    private static func status(_ code: OperationErrorCode) -> HTTPResponse.Status {
        switch code {
        case .ambiguous: .conflict
        case .badRegex, .badTime: .badRequest
        case .stopped: .serviceUnavailable
        case .unknownAccount, .unknownMessage, .unknownRoom, .unknownUser: .notFound
        }
    }

    /// Returns the advice for a reader, who can't do what the command's advice says.
    private static func hint(_ code: ArchiveError.Code) -> String? {
        code == .stopped ? "ask for less: one room, a shorter time, or a rarer word" : nil
    }

    private static func status(_ code: ArchiveError.Code) -> HTTPResponse.Status {
        switch code {
        case .noArchive, .unknownAccount, .unknownRoom: .notFound
        case .locked, .tooManyOpen, .cold, .encrypted, .age, .quota, .storage, .schemaTooOld, .stopped:
            .serviceUnavailable
        case .sharedArchive, .merge, .held: .conflict
        case .schemaTooNew, .notPermitted, .noLocks, .corrupt, .backup, .linked, .searchIndex: .internalServerError
        }
    }

    /// The media type of ``document``.
    static let mediaType = "application/problem+json"

    /// The problem as JSON, with a line feed.
    var document: String {
        var members: [JSONValue.Member] = [
            JSONValue.Member(key: "type", value: .string(code)),
            JSONValue.Member(key: "title", value: .string(status.reasonPhrase)),
            JSONValue.Member(key: "status", value: .number(Int64(status.code))),
            JSONValue.Member(key: "detail", value: .string(detail)),
        ]
        if let hint { members.append(JSONValue.Member(key: "hint", value: .string(hint))) }
        return JSONValue.object(members).text + "\n"
    }

    /// The document as an answer.
    var response: Response {
        var response = Response(
            status: status, headers: [.contentType: Self.mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: document)))
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}
