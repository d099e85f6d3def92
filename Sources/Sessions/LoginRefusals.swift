/// The refusals of a login in a row.
///
/// A server also refuses the right password: while its services are away, or because it counts connections. Only a
/// refusal that comes again over some time is left to a person.
struct LoginRefusals: Sendable {
    private(set) var count = 0

    /// The first wait, and the factor from one wait to the next: three attempts take 10 minutes.
    private static let first = Duration.seconds(120)
    private static let factor = 4
    private static let longest = Duration.seconds(3600)

    /// Counts a refusal.
    ///
    /// - Parameter attempts: The number of attempts before a person must act; at least 1.
    /// - Returns: The time to wait for the next attempt; nil if there is none.
    mutating func next(attempts: Int, using random: inout some RandomNumberGenerator) -> Duration? {
        count += 1
        guard count < attempts else { return nil }
        var wait = Self.first
        for _ in 1..<count where wait < Self.longest { wait *= Self.factor }
        wait = min(wait, Self.longest)
        return wait + .microseconds(Int64.random(in: 0...wait.microseconds / 10, using: &random))
    }
}
