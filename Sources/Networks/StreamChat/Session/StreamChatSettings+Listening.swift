import NIOPosix
import Sessions
import Settings

extension StreamChatSettings: ListenedSettings {
    func makeListener(_ account: ListenedAccount) -> any Listener {
        StreamChatListener(
            StreamChatConfiguration(self),
            connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, traffic: account.traffic),
            tools: account.tools)
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
