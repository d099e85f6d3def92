import ChatModel
import Rendering

/// CSV for spreadsheets: the records of `history --format csv`, with a header in each file. No field is a formula. In an
/// export with files, each file in the column `attachments` also has the path of its copy.
struct CSVExport: ExportFormat {
    static let name = "csv"
    static let fileExtension = "csv"

    private let folder: String
    private let files: ExportedFiles?

    init(_ unit: ExportUnit, of export: ExportSettings) {
        (folder, files) = (unit.folder, export.files)
    }

    func begin(part: Int) -> String {
        CSV.record(HistoryRenderer.csvHeader)
    }

    /// Renders a message. Leaves out gaps, which are in the manifest.
    func render(_ item: ExportItem) -> String {
        guard case .message(let message, _) = item else { return "" }
        return CSV.record(record(message))
    }

    private func record(_ message: Message) -> JSONValue {
        let record = JSONValue(message)
        guard let files else { return record }
        return .object(
            record.members.map { member in
                guard member.key == "attachments" else { return member }
                let copies = message.attachments.map { file in
                    let copy = JSONValue.Member(key: "copy", value: JSONValue(files.path(of: file, from: folder)))
                    return JSONValue.object(JSONValue(file).members + [copy])
                }
                return JSONValue.Member(key: member.key, value: .array(copies))
            })
    }

    func end(part: Int, hasMore: Bool) -> String { "" }
}
