import StreamChatWire

/// Many people in one room at once: what is said goes through the room server, a listener and the store, over TCP and
/// to a real disk, and is then compared with what the server sent.
///
/// - Throws: ``BenchmarkError`` when something was lost, out of order or not flagged.
func runRoomLoad() async throws {
    let scenarios = [
        RoomScenario(name: "nul, full speed", framing: .nul, clients: 50, messages: 20_000),
        RoomScenario(name: "chunk, full speed", framing: .chunk, clients: 50, messages: 20_000),
        RoomScenario(name: "chunk, 40 ms apart", framing: .chunk, clients: 20, messages: 240, apart: .milliseconds(40)),
    ]
    var results: [RoomLoadResult] = []
    for scenario in scenarios { results.append(try await RoomLoadRun(scenario).result()) }
    Table.title("Room load: clients, room server, listener, archive")
    RoomLoadResult.print(results)
    let failures = results.flatMap(\.failures)
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// One way to load a room.
struct RoomScenario: Sendable {
    var name: String
    /// Of the server and the listener.
    var framing: Framing
    var clients: Int
    /// In all; a multiple of `clients`.
    var messages: Int
    /// Between any two lines; nil for as fast as they can.
    var apart: Duration?

    var messagesEach: Int { messages / clients }
    var names: [String] { (0..<clients).map { "user\($0)" } }

    /// What the server says of what is said, in some order.
    var lines: [ServerLine] {
        names.flatMap { name in (0..<messagesEach).map { .message(name: name, text: Self.text($0)) } }
    }

    /// The text of a speaker's n-th message.
    ///
    /// A full stop ends it, and stands nowhere else in what the server sends: so that the benchmark can tell lines
    /// apart where the parser has no delimiter.
    static func text(_ number: Int) -> String {
        number.isMultiple(of: 2) ? "\(number) ok." : "\(number) 안녕 everybody, how is the archive today: still there."
    }
}
