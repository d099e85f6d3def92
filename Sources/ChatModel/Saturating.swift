/// Arithmetic on numbers of a file or a peer, where the end of the range is a sufficient answer.
extension FixedWidthInteger {
    /// Returns the sum, limited to the range.
    package func adding(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Rounds toward zero and limits the number to the range; 0 for NaN.
    package init(saturating number: Double) {
        if let exact = Self(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number > 0 ? .max : number < 0 ? .min : 0
        }
    }
}
