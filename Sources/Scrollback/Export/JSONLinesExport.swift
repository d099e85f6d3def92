import ChatModel

/// For programs, and to be imported again: a message a line.
struct JSONLinesExport: ExportFormat {
    static let name = "jsonl"
    static let fileExtension = "jsonl"

    init(_ unit: ExportUnit, of export: ExportSettings) {}

    func begin(part: Int) -> String { "" }

    /// Gaps are in the manifest.
    func render(_ item: ExportItem) -> String {
        guard case .message(let message) = item else { return "" }
        return JSONValue(message).text + "\n"
    }

    func end(part: Int, hasMore: Bool) -> String { "" }
}
