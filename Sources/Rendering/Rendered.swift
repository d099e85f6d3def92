/// The rendered text for stdout and for stderr.
package struct Rendered: Sendable, Hashable {
    /// The text for stdout.
    package var output = ""
    /// The text for stderr.
    package var notes = ""

    package init(output: String = "", notes: String = "") {
        self.output = output
        self.notes = notes
    }

    package static func + (a: Rendered, b: Rendered) -> Rendered {
        Rendered(output: a.output + b.output, notes: a.notes + b.notes)
    }
}
