import ChatModel
import Listeners
import Logging
import NIOPosix

/// The listener of an account's network.
func makeListener(_ account: AccountConfiguration, logger: Logger) -> any Listener {
    var logger = logger
    logger[metadataKey: "account"] = "\(account.identity.name)"
    switch account.network {
    case .streamChat(let settings):
        return StreamChatListener(
            StreamChatConfiguration(settings), connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup),
            logger: logger)
    }
}

extension StreamChatConfiguration {
    init(_ settings: StreamChatSettings) {
        self.init(
            host: settings.server.host, port: settings.server.port, nick: settings.nick, room: settings.room)
        framing = settings.framing
        revision = settings.revision
        continuation = settings.continuation
        unitCap = settings.maximumUnitBytes
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}
