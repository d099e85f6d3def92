import Logging
import Rendering
import RoomServer
import StreamChatWire

/// The people of the demonstration and their room.
final class DemoRoom {
    private let port: Int
    private var people: [String: DemoPerson] = [:]

    /// The pause between two steps, for people who read along; nothing depends on it.
    private static let pause = Duration.milliseconds(200)

    init(port: Int) {
        self.port = port
    }

    /// Runs a room server on a free port while `body` runs.
    static func withServer(_ body: (_ port: Int) async throws -> Void) async throws {
        var configuration = RoomServerConfiguration()
        configuration.port = 0
        configuration.framing = .lf
        let server = RoomServer(configuration, logger: Logger(label: "room-server"))
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await server.run { ready.yield($0) }
            }
            defer { tasks.cancelAll() }
            if let port = await ports.first(where: { _ in true }) { try await body(port) }
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    func play(_ steps: [DemoScript.Step]) async throws {
        for step in steps {
            try await play(step)
            try await Task.sleep(for: Self.pause)
        }
    }

    private func play(_ step: DemoScript.Step) async throws {
        switch step {
        case .joins(let name): people[name] = try await DemoPerson.join(name, port: port)
        case .leaves(let name): try await people.removeValue(forKey: name)?.leave()
        case .sees(let name): try await people[name]?.waitFor(.joined(name: "archiver"))
        case .waits(let time): try await Task.sleep(for: time)
        case .says(let name, let text):
            try StandardStream.output.write("    \(name): \(text)\n")
            try await people[name]?.say(text)
        }
    }
}
