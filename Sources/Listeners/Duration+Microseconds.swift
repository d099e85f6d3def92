extension Duration {
    /// Whole microseconds, rounded towards zero. Saturates beyond 292,000 years.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard overflow || overflow2 else { return sum }
        return seconds < 0 ? .min : .max
    }
}
