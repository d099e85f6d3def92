import Foundation
import TestSupport
import Testing

/// Bytes that a hostile server sends without end, as one of the kinds of servers that a listener knows.
struct Flood: Sendable, CustomTestStringConvertible {
    enum Network: String, Sendable, CaseIterable { case irc, streamchat, slp, matrix, xmpp }

    /// An answer to one kind of HTTP request.
    struct Answer: Sendable {
        /// How the request's path ends, without its query; with a `/` at its end, how it begins. `/v1` is no part of it.
        var path: String
        var head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        var beginning = ""
        var piece: String
        /// How often the piece is sent; nil is without end.
        var count: Int?
        var end = ""
    }

    let network: Network
    let name: String
    /// Capabilities that an IRC server offers.
    var capabilities = ""
    /// Sent once, before the content.
    var greeting: [UInt8] = []
    /// Sent again and again; a workspace sends it over its WebSocket, or as the answer to a poll.
    var content: @Sendable () -> [UInt8] = { [] }
    var isPolled = false
    var answers: [Answer] = []

    var testDescription: String { "\(network.rawValue) \(name)" }

    /// Repeats a text, in which `{}` stands for the number and `{+}` for the next one, the last one's next being 0.
    static func numbered(_ template: String, _ count: Int) -> [UInt8] {
        let parts = template.split(separator: "{", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for number in 0..<count {
            bytes += parts[0].utf8
            for part in parts.dropFirst() {
                if part.hasPrefix("}") {
                    bytes += "\(number)".utf8
                    bytes += part.dropFirst().utf8
                } else if part.hasPrefix("+}") {
                    bytes += "\((number + 1) % count)".utf8
                    bytes += part.dropFirst(2).utf8
                } else {
                    bytes.append(UInt8(ascii: "{"))
                    bytes += part.utf8
                }
            }
        }
        return bytes
    }

    /// All of them under `make torture`, those that `SCROLLBACK_FLOODS` names by their beginnings, or some of each network.
    static let chosen: [Flood] = {
        let all = ircFloods + streamChatFloods + workspaceFloods + matrixFloods + xmppFloods
        if let names = ProcessInfo.processInfo.environment["SCROLLBACK_FLOODS"] {
            let beginnings = names.split(separator: ",")
            return all.filter { flood in beginnings.contains { flood.testDescription.hasPrefix($0) } }
        }
        if Torture.isWhole { return all }
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = SeededGenerator(seed: seed)
        let some = Network.allCases.compactMap { network in
            all.filter { $0.network == network }.randomElement(using: &random)
        }
        print("floods of seed \(seed): SCROLLBACK_FLOODS='\(some.map(\.testDescription).joined(separator: ","))'")
        return some
    }()
}
