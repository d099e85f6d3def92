import Foundation

extension Program {
    /// A running room server, and its port.
    package struct Server: Sendable {
        package let run: Run
        package let port: Int
    }

    /// - Parameter port: The port; 0 for any free one.
    package func startServer(
        port: Int = 0, framing: String = "nul", revision: String = "2021-08"
    ) async throws -> Server {
        let run = try start("room-server", "--port", String(port), "--framing", framing, "--revision", revision)
        try await run.says("room server ready")
        let text = run.errors.split(separator: "port=").last?.prefix { $0.isNumber } ?? ""
        guard let port = Int(text) else { throw WaitedInVain(description: "no port in: \(run.errors)") }
        return Server(run: run, port: port)
    }

    /// Starts a listener that writes acknowledged ids to a file, and returns when all its accounts are connected.
    ///
    /// - Parameter witness: A client in the room, which has seen the listener's join when this returns. A server may
    ///   read a join some time after its arrival, and the listener does not receive messages from before that.
    package func startListener(_ arguments: String..., witness: ChatSocket? = nil) async throws -> Run {
        let listener = try start(
            arguments: ["listen", "--ack-fd", "3"] + arguments, shell: #"exec "$@" 3>>acknowledged"#)
        try await connected(listener)
        try await witness?.waitFor("archiver has joined")
        return listener
    }

    /// Waits until every account of the listener is connected, by `status`.
    package func connected(_ listener: Run) async throws {
        try await eventually("all accounts connected", state: { listener.errors }) { () -> Bool? in
            guard listener.isRunning else { throw WaitedInVain(description: "no listener: \(listener.errors)") }
            // An account that the listener does not have is offline or imported.
            let states = try await self("status", "--format", "jsonl").output.split(separator: "\n")
                .filter { !$0.contains(#""state": "offline""#) && !$0.contains(#""state": "imported""#) }
            // A StreamChat server has nothing to send in a quiet room.
            let isConnected =
                !states.isEmpty
                && states.allSatisfy { $0.contains(#""state": "connected""#) || $0.contains("asked to join") }
            return isConnected ? true : nil
        }
    }

    /// Returns the counts of a running listener for its one account.
    package func counted() async throws -> JSONCounts {
        let output = try await self("status", "--format", "jsonl").output
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(JSONCounts.self, from: Data(output.utf8))
    }

    /// The ids that a listener acknowledged as stored.
    package var acknowledged: [String] {
        let bytes = FileManager.default.contents(atPath: home + "/acknowledged") ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns all messages of people in a room, as "alice: hi", read by pages forward from the oldest.
    package func said(in room: String) async throws -> [String] {
        try await messages(in: room).filter { $0.kind == "message" }.map {
            "\($0.sender?.name ?? ""): \($0.body ?? "")"
        }
    }

    package func messages(in room: String) async throws -> [JSONMessage] {
        var all: [JSONMessage] = []
        var place = ["--oldest"]
        while true {
            let result = try await start(
                arguments: ["history", room, "--format", "json", "-n", "1000"] + place
            ).result()
            // Nothing is stored yet.
            if all.isEmpty, result.errors.hasPrefix("no messages found") { return [] }
            guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
            let page = try JSONDecoder().decode(JSONPage.self, from: Data(result.output.utf8))
            all += page.messages
            guard let newer = page.newer else { return all }
            place = ["--after", newer]
        }
    }
}

/// The keys of `docs/json.md` that tests read.
package struct JSONPage: Decodable, Sendable {
    package struct Gap: Decodable, Sendable {
        package var reason: String?
        package var state: String
        package var to: String?
    }
    package var messages: [JSONMessage]
    package var older: String?
    package var newer: String?
    package var gaps: [Gap]
}

/// The figures of `status` while a listener runs.
package struct JSONCounts: Decodable, Sendable {
    package var lastSignOfLife: String?
    package var lastByte: String?
    package var lastEvent: String?
    package var receivedBytes: Int64
    /// The number of received messages by kind.
    package var received: [String: Int64]
}

package struct JSONMessage: Decodable, Sendable, Hashable {
    package struct Sender: Decodable, Sendable, Hashable {
        package var name: String
    }
    package var id: String
    package var kind: String
    package var sender: Sender?
    package var body: String?
}
