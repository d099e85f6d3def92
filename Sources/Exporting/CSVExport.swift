import ChatModel
import Rendering

/// CSV for spreadsheets: the records of `history --format csv`, with a header in each file. No field is a formula.
struct CSVExport: ExportFormat {
    static let name = "csv"
    static let fileExtension = "csv"

    init(_ unit: ExportUnit, of export: ExportSettings) {}

    func begin(part: Int) -> String {
        CSV.record(HistoryRenderer.csvHeader)
    }

    /// Renders a message. Leaves out gaps, which are in the manifest.
    func render(_ item: ExportItem) -> String {
        guard case .message(let message, _) = item else { return "" }
        return CSV.record(JSONValue(message))
    }

    func end(part: Int, hasMore: Bool) -> String { "" }
}
