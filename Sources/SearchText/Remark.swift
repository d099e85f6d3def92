/// A word of a query that may not mean what its writer expects.
package enum Remark: Sendable, Hashable {
    /// A text that other languages use for an operator: `or` for `OR`.
    case resembles(String, operator: String)
    /// An operator that does not stand between or before things to find, such as `OR` at an edge.
    case operatorAsWord(String)
    /// A time within parentheses.
    case timeAsWord(String)
}
