/// The error of a test that waited in vain.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

extension Duration {
    /// How long a test waits for another process before it fails. A busy machine of two cores can take a minute to start a program.
    package static let patience = Duration.seconds(100)
}

/// Calls `answer` until it returns a value, to wait for another process that sends no notification.
///
/// - Throws: ``WaitedInVain`` after `timeout`, with the result of `state`.
@discardableResult
package func eventually<Value>(
    _ what: String, within timeout: Duration = .patience, state: () -> String = { "" },
    _ answer: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + timeout
    while true {
        if let value = try await answer() { return value }
        guard ContinuousClock.now < deadline else {
            throw WaitedInVain(description: "\(what): not within \(timeout). \(state())")
        }
        try await Task.sleep(for: .milliseconds(15))
    }
}
