import ChatModel
import Listeners
import Logging

/// The listener of an account's network. The one place that knows the networks' own types.
func makeListener(_ account: AccountConfiguration, logger: Logger) -> any Listener {
    switch account.network {
    case .streamChat: ListenerToCome()
    }
}

/// Stands where a network's listener is not part of this build.
private struct ListenerToCome: Listener {
    func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        report(ListenerReport(state: .failed, since: .now(), lastError: "not part of this build"))
        for await input in inputs where input == .stop { return }
    }
}
