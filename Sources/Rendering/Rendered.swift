/// What goes to stdout, and what to stderr.
package struct Rendered: Sendable, Hashable {
    package var output = ""
    package var notes = ""

    package init(output: String = "", notes: String = "") {
        self.output = output
        self.notes = notes
    }

    package static func + (a: Rendered, b: Rendered) -> Rendered {
        Rendered(output: a.output + b.output, notes: a.notes + b.notes)
    }
}
