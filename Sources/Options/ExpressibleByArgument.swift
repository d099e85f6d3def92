/// A value that one word of a command line gives.
package protocol ExpressibleByArgument: ParameterValue {
    /// Returns nil for a word that is not a value.
    init?(argument: String)

    /// The value as a word.
    var argument: String { get }

    /// All values as words; empty if there are too many.
    static var allArguments: [String] { get }
}

/// The value of a parameter: one value, an optional one, or several.
package protocol ParameterValue {
    /// The value without the parameter; nil if the parameter must be given.
    static var absent: Self? { get }
    static var isRepeated: Bool { get }
    static var allArguments: [String] { get }
    /// The text of a default; empty for none.
    var defaultText: String { get }

    /// Returns the value with one more word.
    ///
    /// - Parameter before: The value of the earlier words; nil for the first one.
    /// - Returns: Nil for a word that is not a value.
    static func value(of word: String, after before: Self?) -> Self?
}

extension ExpressibleByArgument {
    package static var allArguments: [String] { [] }
    package static var absent: Self? { nil }
    package static var isRepeated: Bool { false }
    package var defaultText: String { argument }
    package static func value(of word: String, after before: Self?) -> Self? { Self(argument: word) }
}

extension ExpressibleByArgument where Self: RawRepresentable<String> & CaseIterable {
    package init?(argument: String) { self.init(rawValue: argument) }
    package var argument: String { rawValue }
    package static var allArguments: [String] { allCases.map(\.rawValue) }
}

extension String: ExpressibleByArgument {
    package init?(argument: String) { self = argument }
    package var argument: String { self }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
    package init?(argument: String) { self.init(argument, radix: 10) }
    package var argument: String { String(self) }
}

extension Int: ExpressibleByArgument {}
extension Int32: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}

extension Optional: ParameterValue where Wrapped: ExpressibleByArgument {
    package static var absent: Self? { .some(nil) }
    package static var isRepeated: Bool { false }
    package static var allArguments: [String] { Wrapped.allArguments }
    package var defaultText: String { self?.argument ?? "" }
    package static func value(of word: String, after before: Self?) -> Self? {
        Wrapped(argument: word).map { .some($0) }
    }
}

extension Array: ParameterValue where Element: ExpressibleByArgument {
    package static var absent: Self? { nil }
    package static var isRepeated: Bool { true }
    package static var allArguments: [String] { Element.allArguments }
    package var defaultText: String { map(\.argument).joined(separator: ", ") }
    package static func value(of word: String, after before: Self?) -> Self? {
        Element(argument: word).map { (before ?? []).appending($0) }
    }
}

extension Array {
    /// Returns the array with one more element. The operator `+` would look up conformances.
    func appending(_ element: Element) -> Self {
        var longer = self
        longer.append(element)
        return longer
    }
}
