import Foundation
import TestSupport

/// A real IRC server (ngircd): many lines at once, and many rooms.
///
/// - Throws: ``BenchmarkError`` when something is missing.
func runIRC() async throws {
    guard IRCServer.Kind.ngircd.isAvailable else {
        throw BenchmarkError("needs ngircd, which .ci/fetch-tools fetches")
    }
    let failures = try await measureBurst() + measureRooms()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// Issue 7, "Figures".
private let lines = 100_000
private let talkers = 4
private let rooms = 1000
/// More than all of the burst.
private let roomyBuffer = 256 * 1024 * 1024

private func measureBurst() async throws -> [String] {
    let bare = try await IRCBurst.bare(lines, talkers: talkers)
    let stored = try await IRCBurst.listener(lines, talkers: talkers)
    let roomy = try await IRCBurst.listener(lines, talkers: talkers, buffer: roomyBuffer)
    Table.title("IRC: \(lines) lines of \(talkers) people in one room, as fast as ngircd takes them")
    IRCBurst.print([("bare reader", bare), ("listen", stored), ("listen, 256 MiB buffer", roomy)])
    return bare.failures + stored.failures + roomy.failures
}

private func measureRooms() async throws -> [String] {
    let result = try await IRCRooms.measure(rooms)
    Table.title("IRC: \(rooms) rooms on ngircd")
    result.print()
    return result.failures
}
