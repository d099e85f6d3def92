import ChatModel
import Rendering

/// For spreadsheets: a record a message, as `history --format csv` has it, with a header in each file. No field is a formula.
struct CSVExport: ExportFormat {
    static let name = "csv"
    static let fileExtension = "csv"

    init(_ unit: ExportUnit, of export: ExportSettings) {}

    func begin(part: Int) -> String {
        CSV.record(HistoryRenderer.csvHeader)
    }

    /// Gaps are in the manifest.
    func render(_ item: ExportItem) -> String {
        guard case .message(let message, _) = item else { return "" }
        return CSV.record(JSONValue(message))
    }

    func end(part: Int, hasMore: Bool) -> String { "" }
}
