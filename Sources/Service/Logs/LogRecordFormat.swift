/// The format of a log record. Either has one line a record.
package enum LogRecordFormat: String, Sendable, CaseIterable {
    case text, json
}
