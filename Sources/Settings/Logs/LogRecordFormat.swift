/// The format of a log record. Both formats have one line for each record.
package enum LogRecordFormat: String, Sendable, CaseIterable {
    case text, json
}
