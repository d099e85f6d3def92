/// The files of Scrollback's own exports, which the format `jsonl` reads.
package enum OwnExport {
    /// The list of an export's files.
    package static let manifestFile = "manifest.jsonl"
    /// The records of an account that are not messages.
    package static let recordsFile = "account.jsonl"
}
