/// What a test waited for in vain.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String
}

/// Asks until there is an answer: for what another process does, which nobody tells us of.
///
/// - Throws: ``WaitedInVain`` after `patience`, with what the test was told of by `state`.
@discardableResult
package func eventually<Value>(
    _ what: String, within patience: Duration = .seconds(30), state: () -> String = { "" },
    _ answer: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + patience
    while true {
        if let value = try await answer() { return value }
        guard ContinuousClock.now < deadline else {
            throw WaitedInVain(description: "\(what): not within \(patience). \(state())")
        }
        try await Task.sleep(for: .milliseconds(15))
    }
}
