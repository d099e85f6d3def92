/// The form of a log record, one a line in either.
package enum LogRecordFormat: String, Sendable, CaseIterable {
    case text, json
}
