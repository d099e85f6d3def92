import ChatModel
import Logging
import MatrixWire
import NIOHTTP1
import NIOPosix
import Sessions

/// Tries an account: logs in, and opens its key backup with the recovery key. Stores nothing, and logs out again.
enum MatrixTrial {
    /// - Parameter configuration: Without files between runs.
    static func findings(_ configuration: MatrixListenerConfiguration) async -> [ConnectionFinding] {
        let credentials = configuration.credentials
        guard credentials.token != nil || credentials.password != nil else {
            return [ConnectionFinding(.fact, "not tried: the token of a single sign-on works for one login")]
        }
        let tools = ListenerTools(logger: Logger(label: "trial") { _ in SwiftLogNoOpLogHandler() })
        do {
            return try await MatrixClient.with(
                configuration, traffic: nil, tools: tools, group: .singletonMultiThreadedEventLoopGroup
            ) { client in
                let account = try await client.account()
                let rooms = account.joinedRooms.count
                let login = "logged in as \(account.id), which is in \(rooms) \(rooms == 1 ? "room" : "rooms")"
                let keys = await tryKeys(client, of: account.id)
                // A login has made a device, which nothing would use.
                if credentials.token == nil { try? await client.logOut() }
                return [ConnectionFinding(.fact, login)] + keys
            }
        } catch let error as CallError {
            return [ConnectionFinding(.failure, error.detail)]
        } catch {
            return [ConnectionFinding(.failure, "\(error)")]
        }
    }

    private static func tryKeys(_ client: MatrixClient, of user: String) async -> [ConnectionFinding] {
        guard client.configuration.hasRecovery else { return [] }
        do {
            guard let version = try await client.backupVersion() else { throw MatrixKeyReader.noBackup }
            _ = try await MatrixBackupOpening(client: client, user: user).key(of: version)
            let count = version.count.map { " (\($0) \($0 == 1 ? "key" : "keys"))" } ?? ""
            return [ConnectionFinding(.fact, "the recovery key opens the key backup\(count)")]
        } catch let error as DecryptionError {
            return [ConnectionFinding(.warning, "encrypted messages stay encrypted: \(error.reason)")]
        } catch {
            return [ConnectionFinding(.warning, "the key backup can't be tried: \(error)")]
        }
    }
}

extension MatrixClient {
    /// Ends the login, and removes its device.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    fileprivate func logOut() async throws {
        let call = Call(method: .POST, path: "/v3/logout", body: Array("{}".utf8))
        _ = try await readAnswer(call, into: { 0 }) { $0 += $1.count }
    }
}
