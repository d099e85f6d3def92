/// The error of a test that waited in vain.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

extension Duration {
    /// The time that a test waits for another process on an idle machine before it fails.
    package static let patience = Duration.seconds(100)
}

/// Calls `answer` until it returns a value, to wait for another process that sends no notification.
///
/// - Throws: ``WaitedInVain`` after `timeout`, or after as much more as the machine is slower than an idle one
///   (``MachineSpeed``), with the result of `state`.
@discardableResult
package func eventually<Value>(
    _ what: String, within timeout: Duration = .patience, state: () -> String = { "" },
    _ answer: () async throws -> Value?
) async throws -> Value {
    let start = ContinuousClock.now
    var limit = timeout
    while true {
        if let value = try await answer() { return value }
        if ContinuousClock.now >= start + limit {
            limit = timeout * MachineSpeed.slowness()
            guard ContinuousClock.now < start + limit else {
                throw WaitedInVain(description: "\(what): not within \(limit). \(state())")
            }
        }
        try await Task.sleep(for: .milliseconds(15))
    }
}
