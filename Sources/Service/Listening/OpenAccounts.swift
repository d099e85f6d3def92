import ChatModel
import Synchronization

/// The open accounts of the running listener. They change with its configuration.
final class OpenAccounts: Sendable {
    private let services: Mutex<[String: AccountService]>

    init(_ services: [AccountService] = []) {
        self.services = Mutex(
            Dictionary(services.map { ($0.account.name, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The account with a name; nil if it isn't open.
    subscript(name: String) -> AccountService? { services.withLock { $0[name] } }

    var all: [AccountService] { services.withLock { Array($0.values) } }

    func add(_ service: AccountService) {
        services.withLock { $0[service.account.name] = service }
    }

    func remove(_ name: String) {
        services.withLock { _ = $0.removeValue(forKey: name) }
    }
}
