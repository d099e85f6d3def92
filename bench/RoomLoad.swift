import StreamChatWire

/// Measures many people in one room at once: their messages pass through the room server, a listener and the store,
/// over TCP and to a real disk. Compares the stored messages with those that the server sent.
///
/// - Throws: ``BenchmarkError`` when a message was lost, out of order or not flagged.
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

/// A way to load a room.
struct RoomScenario: Sendable {
    var name: String
    /// The framing of the server and the listener.
    var framing: Framing
    var clients: Int
    /// The number of all messages; a multiple of `clients`.
    var messages: Int
    /// The time between any two lines; nil to send as fast as possible.
    var apart: Duration?

    var messagesEach: Int { messages / clients }
    var names: [String] { (0..<clients).map { "user\($0)" } }

    /// The lines that the server sends, in some order.
    var lines: [ServerLine] {
        names.flatMap { name in (0..<messagesEach).map { .message(name: name, text: Self.text($0)) } }
    }

    /// Returns the text of a speaker's n-th message.
    ///
    /// A full stop ends the text and occurs nowhere else in the server's output, so that the benchmark can separate
    /// lines for which the parser has no delimiter.
    static func text(_ number: Int) -> String {
        number.isMultiple(of: 2) ? "\(number) ok." : "\(number) 안녕 everybody, how is the archive today: still there."
    }
}
