import Foundation
import TestSupport

/// A workspace of one channel, `r0`, but for what the flood answers itself.
extension FloodServer {
    private static let handshake =
        #""sid":"s","pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000"#

    /// False where the connection is over.
    func answer(_ request: HTTPHead, on connection: FloodConnection) -> Bool {
        connection.skip(request.length)
        if let key = request.fields["sec-websocket-key"] {
            openWebSocket(key, on: connection)
            return false
        }
        let path = request.path
        if let answer = flood.answers.first(where: {
            path.hasSuffix($0.path) || $0.path.hasSuffix("/") && path.hasPrefix($0.path)
        }) {
            floodOn(connection, with: answer)
            // Kept open only where the answer says how long it is.
            return answer.head.contains("Content-Length")
        }
        if flood.network == .matrix { return send(Self.response(matrixPage(request)), to: connection) }
        if path.hasPrefix("/socket.io"), request.target.contains("sid=") {
            guard request.method == "GET" else { return send(Self.response("ok"), to: connection) }
            guard
                send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n40/ws-channel-r0,\u{1E}".utf8), to: connection)
            else { return false }
            floodOn(connection)
            return false
        }
        return send(Self.response(page(path)), to: connection)
    }

    private func page(_ path: String) -> String {
        switch path {
        case "/users/login": #"{"user_id":"me","token":{"accessToken":"a","refreshToken":"r"}}"#
        case "/users/me": #"{"user_id":"me","nickname":"archiver","provider":"email"}"#
        case "/workspaces": #"[{"workspace_id":"w","name":"w"}]"#
        case "/workspaces/w/my-channels": #"[{"channel_id":"r0","name":"r0"}]"#
        case "/socket.io/": "0{\(Self.handshake),\"upgrades\":[\(flood.isPolled ? "" : "\"websocket\"")]}"
        default: "[]"
        }
    }

    private static func response(_ body: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private func floodOn(_ connection: FloodConnection, with answer: Flood.Answer) {
        guard send(Array((answer.head + answer.beginning).utf8), to: connection, isFlood: true) else { return }
        let each = max(1, 256 * 1024 / max(1, answer.piece.utf8.count))
        let pieces = [UInt8]([[UInt8]](repeating: Array(answer.piece.utf8), count: each).joined())
        guard !answer.piece.isEmpty else { return }
        var left = answer.count ?? .max
        while left >= each {
            guard send(pieces, to: connection, isFlood: true) else { return }
            if answer.count != nil { left -= each }
        }
        _ = send(Array((String(repeating: answer.piece, count: left) + answer.end).utf8), to: connection, isFlood: true)
    }

    private func openWebSocket(_ key: String, on connection: FloodConnection) {
        let opening =
            Array(StalledServer.webSocket(key: key).utf8) + Flood.frame(0x81, Array("3probe".utf8)) + flood.greeting
        guard send(opening, to: connection) else { return }
        floodOn(connection)
    }
}

/// The head of a request, as far as a flood server looks at it.
struct HTTPHead {
    var method = ""
    var target = ""
    /// Without `/v1` at its beginning and its query.
    var path = ""
    /// By names in lower case.
    var fields: [String: String] = [:]

    var length: Int { fields["content-length"].flatMap { Int($0) } ?? 0 }

    init(_ text: String) {
        let lines = text.split(separator: "\r\n")
        let words = lines.first.map { $0.split(separator: " ") } ?? []
        guard words.count > 1 else { return }
        (method, target) = (String(words[0]), String(words[1]))
        path = String(target.prefix { $0 != "?" })
        if path.hasPrefix("/v1") { path.removeFirst(3) }
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }
}
