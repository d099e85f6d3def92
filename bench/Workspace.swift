import ChatModel
import Foundation
import NIOPosix
import TestSupport

/// Measures a busy workspace service: the rate at which the tests' server can send, the rates of our Socket.IO client
/// and of `scrollback listen`, and the speed of archiving rooms for the first time.
///
/// - Throws: ``BenchmarkError`` when something is missing, or the server can't keep the pace.
func runWorkspace() async throws {
    guard SLPServer.isAvailable else { throw BenchmarkError("needs .venv, which .ci/make-venv makes") }
    let failures = try await measureLive() + measureFirstSync()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// The channels of the service, and its messages a second.
private let namespaces = 200
private let rate = 5000
private let syncedMessages = 1000

private func measureLive() async throws -> [String] {
    Table.title("Workspace: its sizes")
    let seconds = Scale.choose("seconds of events at \(rate) a second", 15, long: 60)
    // Enough for a steady rate, in less than the 45 s after which the server ends a client that answers no ping.
    let flood = Scale.choose("events as fast as they go", 20_000, long: 60_000)
    let server = try await WorkspaceServer.start(rooms: namespaces)
    let emitted = try await WorkspaceFlood.bare(server, flood, .emit)
    let put = try await WorkspaceFlood.bare(server, flood, .packets)
    let client = try await WorkspaceFlood.client(server, flood, .packets)
    // With enough reserve, python-socketio does all of the work; otherwise the server sends prepared packets.
    let way = emitted.rate > 1.3 * Double(rate) ? WorkspaceServer.Way.emit : .packets
    let listener = try WorkspaceListener.start(port: server.port)
    let pace = try await WorkspacePace.measure(listener, server, namespaces, events: rate * seconds, rate: rate, way)
    let stored = try await WorkspaceFlood.listener(listener, server, flood, from: rate * seconds, .packets)
    try listener.end()

    Table.title("Workspace: \(namespaces) namespaces on one connection, \(flood) events as fast as they go")
    WorkspaceFlood.print([
        ("emit, bare socket", emitted), ("packets, bare socket", put), ("packets, our client", client),
        ("packets, listen", stored),
    ])
    Table.title("Workspace: \(rate) events a second for \(seconds) s, by \(way.rawValue), to scrollback listen")
    pace.print()
    return pace.failures
}

private func measureFirstSync() async throws -> [String] {
    Table.title("Workspace: a first sync of rooms of \(syncedMessages) messages")
    let syncedRooms = Scale.choose("rooms", 20, long: 100)
    let server = try await WorkspaceServer.start(rooms: syncedRooms, messages: syncedMessages)
    let before = try await server.storm().total
    let start = ContinuousClock.now
    let listener = try WorkspaceListener.start(port: server.port)
    try await listener.holds(syncedRooms * syncedMessages, within: .seconds(300))
    let time = (ContinuousClock.now - start) / .seconds(1)
    let processor = try listener.process.processor()
    let served = try await server.storm().total - before
    let memory = try listener.process.memory("VmHWM")
    let calls = try await server.calls()
    let ids = Set(try listener.messages().compactMap(\.remoteID))
    try listener.end()
    let all = syncedRooms * syncedMessages
    Table.row("messages stored, and missing", "\(ids.count), \(all - ids.count)")
    Table.row("from the start of the program until no gap is left", String(format: "%.1f s", time))
    Table.row("messages a second", "\(Int(Double(all) / time))")
    Table.row(
        "requests, and those for history", "\(calls.count), \(calls.count { $0.contains("/chats?") })",
        String(format: "50 ms apart: %.1f s at least", Double(calls.count) * 0.05))
    Table.row("processor time of listen, of the server", String(format: "%.1f s, %.1f s", processor, served))
    Table.row("resident at most", "\(memory) KiB")
    return ids.count == all ? [] : ["of a first sync, \(all - ids.count) messages are missing"]
}
