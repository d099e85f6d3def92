import Exporting
import Rendering

/// An account that was exported, with the report.
struct ExportedAccount: Sendable {
    var account: String
    var folder: String
    var format: String
    var report: ExportRun.Report
}

extension ExportedAccount {
    /// The keys of `scrollback export --report`.
    static let listing = Listing<ExportedAccount>(
        name: "exports", columns: [],
        keys: [
            "account", "folder", "format", "messages", "files", "bytes", "gaps", "written", "unchanged", "not_exported",
        ],
        json: { export in
            let (report, trailer) = (export.report, export.report.trailer)
            return .object([
                "account": .string(export.account), "folder": .string(export.folder), "format": .string(export.format),
                "messages": .number(Int64(trailer.messages)), "files": .number(Int64(trailer.files)),
                "bytes": .number(Int64(trailer.bytes)), "gaps": .number(Int64(trailer.gaps)),
                "written": .number(Int64(report.written)), "unchanged": .number(Int64(report.kept)),
                "not_exported": .number(Int64(report.lost)),
            ])
        })
}
