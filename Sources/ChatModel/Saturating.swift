/// Arithmetic on what a file or a peer says, where the end of the range is as good an answer as any beyond it.
extension FixedWidthInteger {
    /// The sum; the end of the range where it lies beyond it.
    package func adding(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Rounds toward zero; the end of the range where the number lies beyond it, 0 for no number.
    package init(saturating number: Double) {
        if let exact = Self(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number > 0 ? .max : number < 0 ? .min : 0
        }
    }
}
