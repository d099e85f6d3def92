extension FuzzTarget {
    /// Bugs that the fuzzer must find, one of each kind.
    static let planted = [
        planted("trap") { input in _ = input[Int(input[3])] },
        planted("rule") { _ in throw BrokenRule(description: "a planted rule") },
        planted("hang") { input in
            var sum = 0
            for number in 0..<2_000_000_000 where number % Int(input.count) == 0 { sum &+= number ^ Int(input[0]) }
            try require(sum != 1, "a sum")
        },
        planted("memory") { input in try require([UInt8](repeating: input[0], count: 80 << 20).last != 0, "a byte") },
    ]

    /// - Parameter bug: Is called for inputs that begin with `bug` and have a further byte.
    private static func planted(_ kind: String, _ bug: @escaping @Sendable ([UInt8]) throws -> Void) -> FuzzTarget {
        FuzzTarget("planted-\(kind)", limit: 64) { input in
            if input.count > 3, input[0] == 0x62, input[1] == 0x75, input[2] == 0x67 { try bug(input) }
        }
    }
}
