import Foundation
import SQLite
import Synchronization
import TestSupport

/// Says numbered lines in a room of a healthy IRC server, and looks into the account's file for them: a thread of its own, so
/// that it is late by nothing but what the machine does.
final class StoredWatch: Sendable {
    struct Measurement {
        /// From sent to stored, in order of their lengths.
        var delays: [Duration] = []
        /// Lines that were sent and not found.
        var missing = 0

        var p99: Duration { delays.isEmpty ? .zero : delays[(delays.count - 1) * 99 / 100] }
    }

    private let result = Watched<Measurement?>(nil)

    /// - Parameters:
    ///   - folder: The data folder.
    ///   - timeout: The time to wait for the last line.
    init(
        _ count: Int, every interval: Duration, to socket: ChatSocket, room: String, folder: String,
        account: String, timeout: Duration
    ) throws {
        let accounts = folder + "/accounts"
        let name = try FileManager.default.contentsOfDirectory(atPath: accounts).first { $0.hasPrefix(account + "-") }
        let queue = try DatabaseQueue(
            path: "\(accounts)/\(name ?? "none")/1.sqlite", isReadOnly: true)
        let thread = Thread { [result] in
            let measured = try? Self.measure(count, every: interval, timeout: timeout, queue) { number in
                try socket.send(":al!a@h PRIVMSG \(room) :number \(number)\r\n")
            }
            result.change { $0 = measured ?? Measurement(missing: count) }
        }
        thread.start()
    }

    func measurement() async -> Measurement {
        await result.wait { $0 != nil }
        return result.value ?? Measurement()
    }

    private static func measure(
        _ count: Int, every interval: Duration, timeout: Duration, _ queue: DatabaseQueue, send: (Int) throws -> Void
    ) throws -> Measurement {
        let start = ContinuousClock.now
        var sent: [ContinuousClock.Instant] = []
        var measurement = Measurement(missing: count)
        var last: Int64 = 0
        while measurement.missing > 0, ContinuousClock.now < start + interval * count + timeout {
            if sent.count < count, ContinuousClock.now >= start + interval * sent.count {
                sent.append(.now)
                try send(sent.count - 1)
            }
            let found = try queue.read { db in
                try String.fetchAll(
                    db, sql: "SELECT id || ' ' || body FROM message WHERE id > ? AND body LIKE 'number %' ORDER BY id",
                    arguments: [last])
            }
            let now = ContinuousClock.now
            for words in found.map({ $0.split(separator: " ") }) where words.count == 3 {
                guard let id = Int64(words[0]), let number = Int(words[2]), sent.indices.contains(number) else {
                    continue
                }
                last = id
                measurement.delays.append(now - sent[number])
                measurement.missing -= 1
            }
            Thread.sleep(forTimeInterval: 0.003)
        }
        measurement.delays.sort()
        return measurement
    }
}
