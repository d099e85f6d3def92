import Foundation

/// The texts that a callback received, in order.
final class Recorder: @unchecked Sendable {
    private let lock = NSLock()
    private var told: [String] = []

    func add(_ text: String) {
        lock.withLock { told.append(text) }
    }

    var all: [String] {
        lock.withLock { told }
    }
}
