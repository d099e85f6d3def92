import Foundation
import TestSupport

/// Measures a listener with a real IRC server (ngircd): many lines at once, and many rooms.
///
/// - Throws: ``BenchmarkError`` when something is missing.
func runIRC() async throws {
    guard IRCServer.Kind.ngircd.isAvailable else {
        throw BenchmarkError("needs ngircd, which .ci/fetch-tools fetches")
    }
    let failures = try await measureBurst() + measureRooms()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// The people who talk at once.
private let talkers = 4
/// A buffer with room for the whole burst, in bytes.
private let roomyBuffer = 256 * 1024 * 1024

private func measureBurst() async throws -> [String] {
    Table.title("IRC: lines of \(talkers) people in one room, as fast as ngircd takes them")
    let lines = Scale.choose("lines", 30_000, long: 100_000)
    let bare = try await IRCBurst.bare(lines, talkers: talkers)
    let stored = try await IRCBurst.listener(lines, talkers: talkers)
    let roomy = try await IRCBurst.listener(lines, talkers: talkers, buffer: roomyBuffer)
    IRCBurst.print([("bare reader", bare), ("listen", stored), ("listen, 256 MiB buffer", roomy)])
    return bare.failures + stored.failures + roomy.failures
}

private func measureRooms() async throws -> [String] {
    Table.title("IRC: many rooms on ngircd")
    let result = try await IRCRooms.measure(Scale.choose("rooms", 300, long: 1000))
    result.print()
    return result.failures
}
