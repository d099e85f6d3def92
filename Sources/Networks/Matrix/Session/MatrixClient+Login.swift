import FoundationEssentials
import Logging
import MatrixWire
import NIOHTTP1
import Sessions

/// The calls that get tokens.
extension MatrixClient {
    func renewed(_ old: MatrixTokens?, deviceStays: Bool) async throws -> MatrixTokens {
        if let old, old.refresh != nil, let new = try await refreshed(old) { return new }
        return try await loggedIn(device: deviceStays ? old?.device : nil)
    }

    private struct LoginAnswer: Decodable {
        var access_token: String
        var refresh_token: String?
        var user_id: String?
        var device_id: String?
    }

    private func loggedIn(device: String?) async throws -> MatrixTokens {
        let credentials = configuration.credentials
        guard credentials.token == nil else {
            throw CallError(code: .needsLogin, detail: "the server does not accept the access token")
        }
        var fields: [String: JSONField] = [
            "initial_device_display_name": .text("Scrollback"), "refresh_token": .flag(true),
        ]
        if let token = credentials.loginToken {
            (fields["type"], fields["token"]) = (.text("m.login.token"), .text(token))
        } else if let password = credentials.password {
            fields["type"] = .text("m.login.password")
            fields["password"] = .text(password)
            fields["identifier"] = .object(["type": .text("m.id.user"), "user": .text(credentials.user)])
        } else {
            throw CallError(
                code: .needsLogin, detail: "the login has expired; configure a password or a token to log in again")
        }
        if let device { fields["device_id"] = .text(device) }
        do {
            let body = Array(try JSONEncoder().encode(fields))
            let answer = try await value(
                Call(method: .POST, path: "/v3/login", body: body, needsLogin: false), LoginAnswer.self)
            logger.info("logged in")
            return MatrixTokens(
                access: answer.access_token, refresh: answer.refresh_token, user: answer.user_id ?? "",
                device: answer.device_id)
        } catch let error as CallError where [.noPermission, .gone].contains(error.code) {
            throw CallError(code: .needsLogin, detail: error.detail, refusal: error.refusal)
        }
    }

    /// Returns new tokens; nil if the server does not accept the refresh token.
    private func refreshed(_ old: MatrixTokens) async throws -> MatrixTokens? {
        let body = try JSONEncoder().encode(["refresh_token": old.refresh ?? ""])
        do {
            let answer = try await value(
                Call(method: .POST, path: "/v3/refresh", body: Array(body), needsLogin: false), LoginAnswer.self)
            var new = old
            (new.access, new.refresh) = (answer.access_token, answer.refresh_token ?? old.refresh)
            return new
        } catch let error as CallError where [.needsLogin, .noPermission, .gone, .refused].contains(error.code) {
            return nil
        }
    }
}

/// A value of a request's body.
private indirect enum JSONField: Encodable {
    case text(String)
    case flag(Bool)
    case object([String: JSONField])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .object(let fields): try container.encode(fields)
        }
    }
}
