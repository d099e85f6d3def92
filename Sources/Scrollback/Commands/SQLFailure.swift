import Rendering
import SQLQueries

/// A mistake in a statement of `scrollback sql`, with its place and the name that was probably meant.
struct SQLFailure {
    let error: CommandError

    init(_ failure: SQLQueryError, in statement: String) {
        let place = failure.place.map { " (line \($0.line), character \($0.column))" } ?? ""
        error = CommandError(
            .sql, Sanitizer.line(failure.detail) + place, hint: Self.hint(failure, in: statement))
    }

    private static let schema = "scrollback sql --schema"

    private static func hint(_ failure: SQLQueryError, in statement: String) -> String {
        switch failure.kind {
        case .unknownTable(let name):
            return meant(name, among: SQLView.all.map(\.name)) ?? "the views: \(schema)"
        case .unknownColumn(let name):
            // The name may have the table before it.
            let last = String(name.split(separator: ".").last ?? "")
            if statement.contains("\"\(last)\"") { return "a text is in single quotes: '\(Sanitizer.line(last))'" }
            let columns = Set(SQLView.all.flatMap { $0.columns.map(\.name) })
            return meant(last, among: columns) ?? "the columns of each view: \(schema)"
        case .unknownFunction(let name):
            return meant(name, among: SQLQuery.functions) ?? "docs/sql.md explains the functions"
        case .refused: return "this command only reads: SELECT over the views of \(schema)"
        case .count: return "give one SELECT statement"
        case .size: return "select less"
        case .statement: return "docs/sql.md has examples"
        }
    }

    private static func meant(_ name: String, among names: some Sequence<String>) -> String? {
        Nearest.to(name, among: names).map { "did you mean \($0)?" }
    }
}
