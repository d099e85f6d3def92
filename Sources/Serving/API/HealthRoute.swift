import Archive
import Files
import HTTPTypes
import Hummingbird
import Reading

/// Says whether the server answers and its archive opens: for monitors, without a key.
struct HealthRoute {
    private let check: HealthCheck

    static let path = "/healthz"

    init(source: ArchiveSource) {
        check = HealthCheck(source: source)
    }

    func add(to router: Router<ServeContext>) {
        router.get(RouterPath(Self.path)) { request, _ in
            let isWell = await check.opens()
            var response = Answer.response(
                isWell ? "ok\n" : "the archive can't be opened\n", type: "text/plain; charset=utf-8", to: request)
            response.headers[.cacheControl] = "no-store"
            if !isWell { response.status = .serviceUnavailable }
            return response
        }
    }
}

/// Tries whether the archive opens, once for all who ask at the same time.
private actor HealthCheck {
    private let source: ArchiveSource
    private var last: (opens: Bool, until: ContinuousClock.Instant)?
    private var running: Task<Bool, Never>?

    /// The time for which a result counts. Anybody may ask, so that asking must cost nothing.
    private static let life = Duration.seconds(5)

    init(source: ArchiveSource) {
        self.source = source
    }

    func opens() async -> Bool {
        if let last, last.until > .now { return last.opens }
        if let running { return await running.value }
        let task = Task { [source] in (try? await onThread { try source.reading().accounts() }) != nil }
        running = task
        let opens = await task.value
        (last, running) = ((opens, .now + Self.life), nil)
        return opens
    }
}
