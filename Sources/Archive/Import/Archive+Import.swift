import Accounts
import ChatModel

/// Opens accounts for comparing them with the lines of an import.
extension Archive {
    /// Opens an account for a rehearsal of an import, which stores nothing. The account may be missing.
    package func rehearseImport(into account: String) throws -> ImportRehearsal {
        ImportRehearsal(
            reader: try dataFolder.openReader(account: account, isUse: true))
    }

    /// Opens an account to recognise in an import's lines the messages that it already has. The account may be missing.
    ///
    /// - Parameter writes: True if the import will be stored. Nothing can write an encrypted account while its private copy
    ///   is read, so it is decrypted first.
    /// - Returns: What recognises logs of another clock or spelling, and what finds an import in a wrong time zone.
    package func compareImport(
        into account: String, writes: Bool
    ) throws -> (alignment: ImportAlignment, shifts: ImportShiftSearch) {
        let open = { @Sendable [dataFolder] in
            try dataFolder.openReader(account: account, isUse: true, writes: writes)
        }
        let reader = try open()
        return (ImportAlignment(reader: reader, open: open), ImportShiftSearch(reader: reader))
    }
}
