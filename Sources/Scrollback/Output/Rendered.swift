/// What goes to stdout, and what to stderr.
struct Rendered: Sendable, Hashable {
    var output = ""
    var notes = ""

    static func + (a: Rendered, b: Rendered) -> Rendered {
        Rendered(output: a.output + b.output, notes: a.notes + b.notes)
    }
}
