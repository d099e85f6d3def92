import Accounts
import ChatModel
import Files

/// Makes copies of accounts in any state.
extension AccountCopy {
    /// Copies the account in its current state, hot or cold.
    ///
    /// - Parameters:
    ///   - entry: The account's entry, which becomes the entry of the copy.
    ///   - recipients: The public keys to encrypt to. An account that is encrypted already stays encrypted to its keys.
    func make(_ entry: inout Catalog.Entry, _ recipients: AgeRecipients?) throws -> BackupReport {
        switch (entry.cold, recipients) {
        case (nil, nil): return try makePlain(entry, epoch: nil)
        case (nil, let recipients?):
            let (copy, logGrowth) = try encrypt(to: recipients)
            entry.cold = copy
            var report = BackupReport(copy, in: target.path)
            report.logGrowth = logGrowth
            return report
        case (var cold?, _):
            if let recipients, cold.encryption == nil {
                cold = try encrypt(cold, to: recipients)
            } else {
                try copyCold(cold)
                cold.encryption?.isRequired = recipients != nil
            }
            entry.cold = cold
            return BackupReport(cold, in: target.path)
        }
    }

    /// - Parameters:
    ///   - epoch: The new epoch of the change feed; nil keeps the epoch.
    ///   - identities: The secret keys for an encrypted account.
    func makePlain(
        _ entry: Catalog.Entry, epoch: String?, _ identities: AgeIdentities = AgeIdentities(files: [])
    ) throws -> BackupReport {
        var (holdings, logGrowth) = (entry.cold?.holdings, Int64(0))
        if let cold = entry.cold {
            try expand(cold, with: identities)
        } else {
            (holdings, logGrowth) = try copy()
        }
        try seal(epoch: epoch)
        return BackupReport(try verify(holdings), of: target, logGrowth: logGrowth)
    }
}

extension BackupReport {
    init(_ cold: Catalog.ColdCopy, in folder: String, isUnchanged: Bool = false) {
        self.init(
            messages: cold.holdings.messages, rooms: cold.holdings.rooms, bytes: cold.size,
            state: cold.encryption == nil ? .cold : .encrypted, folder: folder, isUnchanged: isUnchanged)
    }

    init(_ holdings: Catalog.Holdings, of file: AccountFolder, logGrowth: Int64) {
        self.init(
            messages: holdings.messages, rooms: holdings.rooms, bytes: FolderEntries.size(of: file.database) ?? 0,
            state: .hot, folder: file.path, logGrowth: logGrowth)
    }
}
