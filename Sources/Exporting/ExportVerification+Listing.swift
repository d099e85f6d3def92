package import Rendering

extension ExportVerification.Result {
    /// The keys of `scrollback backup verify` for an export.
    package static let listing = Listing<ExportVerification.Result>(
        name: "exports", columns: [],
        keys: [
            "folder", "state", "format", "account", "network", "messages", "files", "bytes", "first_message",
            "last_message", "gaps", "faults", "fault_count", "other_files", "other_count",
        ],
        json: { JSONValue($0) })
}

extension ExportVerification {
    /// The figures of a verification, for machines.
    package struct Result: Sendable {
        package var folder: String
        package var format: String
        /// Nil for the index of an export of several accounts.
        package var header: ManifestLine.Header?
        package var trailer: ManifestLine.Trailer?
        package var isValid: Bool
        package var faults: (shown: [String], count: Int)
        package var others: (shown: [String], count: Int)

        package init(_ verification: ExportVerification, in folder: ExportFolder) {
            (self.folder, format) = (folder.path, verification.format)
            (header, trailer) = (verification.manifest?.header, verification.manifest?.trailer)
            isValid = verification.isValid
            faults = (verification.faults, verification.faultCount)
            others = (verification.others, verification.otherCount)
        }
    }
}

extension JSONValue {
    package init(_ export: ExportVerification.Result) {
        let trailer = export.trailer
        self = .object([
            "folder": .string(export.folder),
            "state": .string(export.isValid ? "fine" : "wrong"),
            "format": .string(export.format),
            "account": JSONValue(export.header?.account),
            "network": JSONValue(export.header?.network),
            "messages": JSONValue(trailer.map { Int64($0.messages) }),
            "files": JSONValue(trailer.map { Int64($0.files) }),
            "bytes": JSONValue(trailer?.bytes),
            "first_message": JSONValue(trailer?.first),
            "last_message": JSONValue(trailer?.last),
            "gaps": JSONValue(trailer.map { Int64($0.gaps) }),
            "faults": .array(export.faults.shown.map(JSONValue.string)),
            "fault_count": .number(Int64(export.faults.count)),
            "other_files": .array(export.others.shown.map(JSONValue.string)),
            "other_count": .number(Int64(export.others.count)),
        ])
    }
}
