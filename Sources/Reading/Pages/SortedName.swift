import SearchText

/// A name's place in a list: by the form in which a search compares names, so that `Zoë` stands after `alice`, then by code
/// points. No rules of a language apply, so a list is the same on every machine.
package struct SortedName: Comparable {
    private let folded: String
    private let name: String

    package init(_ name: String) {
        (folded, self.name) = (FoldedName.fold(name), name)
    }

    /// Compares code points after composition, as Swift compares strings.
    package static func < (one: SortedName, other: SortedName) -> Bool {
        (one.folded, one.name) < (other.folded, other.name)
    }
}

extension Array {
    /// Returns the elements sorted by their names. Each name is folded once.
    ///
    /// - Parameter isBefore: The order of elements with the same name.
    package func sorted(byName name: (Element) -> String, _ isBefore: (Element, Element) -> Bool) -> [Element] {
        map { (element: $0, name: SortedName(name($0))) }
            .sorted { one, other in
                one.name == other.name ? isBefore(one.element, other.element) : one.name < other.name
            }
            .map(\.element)
    }
}
