import LogFormats
import Options
import Rendering

/// The options about what a table or a database contains.
struct ImportSourceOptions: ParsableArguments {
    @Option(
        "columns", help: "The columns of a table: time=Date,sender=User,text=Message. Use it with csv or jsonl.",
        valueName: "part=column,…")
    var columns: String?

    @Option(
        "time-format", help: "The form of a table's times: '%d/%m/%Y %H:%M' (default: recognised).", valueName: "form")
    var timeFormat: String?

    @Option(
        "network",
        help: "The network, or the account of XMPP, to import from a database that has several; import each alone.",
        valueName: "name")
    var network: String?

    @Option(
        "date-order",
        help:
            "The order of day, month and year in dates of WhatsApp and Messenger's pages: dmy, mdy or ymd (default: recognised).",
        valueName: "order", transform: ImportSourceOptions.order)
    var dateOrder: DateOrder?

    private static func order(_ name: String) throws -> DateOrder {
        if let order = DateOrder(rawValue: name) { return order }
        throw ValidationError("no order of dates \"\(Sanitizer.line(name))\"; use dmy, mdy or ymd")
    }

    /// The given options, to repeat in a suggestion.
    var words: [String] {
        [
            ("--columns", columns), ("--time-format", timeFormat), ("--network", network),
            ("--date-order", dateOrder?.rawValue),
        ].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// Returns the format for a word before the files: with `--columns`, `jsonl` is any JSON lines.
    ///
    /// - Throws: `ValidationError` if the options don't fit the format.
    func format(_ given: (any LogFormat.Type)?) throws -> (any LogFormat.Type)? {
        guard columns != nil else {
            guard timeFormat == nil else { throw ValidationError("--time-format needs --columns") }
            return given
        }
        guard let table = KnownLogFormats.tables.first(where: { $0.name == given?.name }) else {
            throw ValidationError(
                "--columns needs the format before the files: scrollback import csv FILE --columns … (csv or jsonl)")
        }
        return table
    }

    func choices() throws -> SourceChoices {
        var choices = SourceChoices(network: network, dateOrder: dateOrder)
        do {
            choices.columns = try columns.map { text throws(ColumnMappingError) in try ColumnMapping(text) }
            choices.timePattern = try timeFormat.map { text throws(TimePatternError) in try TimePattern(text) }
        } catch let error as ColumnMappingError {
            throw ValidationError("--columns: \(Sanitizer.line(error.reason))")
        } catch let error as TimePatternError {
            throw ValidationError("--time-format: \(Sanitizer.line(error.reason))")
        }
        return choices
    }
}
