extension Duration {
    /// Whole microseconds, rounded towards zero. Saturates beyond 292,000 years.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard overflow || overflow2 else { return sum }
        return seconds < 0 ? .min : .max
    }
}

extension Duration {
    /// The duration for people, rounded: `250 ms`, `1.5 s`, `64 s`, `12 min`.
    package var rounded: String {
        switch Double(microseconds) / 1_000_000 {
        case let seconds where seconds < 1: "\(Int((seconds * 1000).rounded())) ms"
        case let seconds where seconds < 10: "\((seconds * 10).rounded() / 10) s".replacing(".0 s", with: " s")
        case let seconds where seconds < 120: "\(Int(seconds.rounded())) s"
        case let seconds: "\(Int(min(seconds / 60, 1e15).rounded())) min"
        }
    }
}
