package import ChatModel

/// The configuration of a network with a login, which a person may correct while the listener runs.
package protocol LoginConfiguration: ListenerConfiguration {
    associatedtype Login: Sendable & Equatable

    /// The login at the start.
    var login: Login { get }
    /// The present login, which a person may have changed; nil if it can't be read.
    var currentLogin: Login? { get }
    /// The interval at which the login is read while the network refuses it.
    var loginCheckInterval: Duration { get }

    /// Returns a login with the stored tokens, which a session may have renewed.
    func withTokens(_ login: Login) -> Login
}

extension LoginConfiguration {
    package func withTokens(_ login: Login) -> Login { login }
}

/// The listener of a network with a login. Each attempt reads the present login, and after a refused one the listener
/// waits until it changes.
package protocol LoginListener: Listener {
    associatedtype Configuration: LoginConfiguration

    /// The configuration, which may change while the listener runs.
    var watched: WatchedValue<Configuration> { get }
    var tools: ListenerTools { get }

    /// Makes one attempt to archive the account, with the login that `login` returns next.
    func run(_ attempt: SessionAttempt, login: LoginWatch<Configuration>) async -> SessionLoop.Outcome

    /// Ends what all attempts share, after the last one.
    func close()
}

extension LoginListener {
    /// The present configuration.
    package var configuration: Configuration { watched.value }

    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let loop = SessionLoop(watched, tools, into: sink, state: state, report: report)
        let login = LoginWatch(watched, clock: tools.clock)
        await loop.run(inputs, loginChanged: login.waitUntilChanged) { attempt in
            await run(attempt, login: login)
        }
        close()
    }

    package func close() {}
}
