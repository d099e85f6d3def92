import Operations
import Options

/// The option to read some accounts only.
struct AccountsOption: ParsableArguments {
    @Option(.accounts)
    var account: [String] = []

    /// Returns the selection of a room or a workspace, or of all rooms of the accounts; of everything if nothing is
    /// named.
    func selection(room: String?) -> RoomSelection {
        RoomSelection(room: room, accounts: account)
    }
}
