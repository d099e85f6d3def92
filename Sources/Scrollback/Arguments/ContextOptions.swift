import Operations
import Options

/// The options for messages around each hit, as in grep.
struct ContextOptions: ParsableArguments {
    @Option(.afterContext)
    var afterContext: Int?

    @Option(.beforeContext)
    var beforeContext: Int?

    @Option(.context)
    var context: Int?

    var isWanted: Bool { afterContext ?? beforeContext ?? context != nil }

    /// The messages around each hit; nil for hits alone.
    var wanted: SearchOperation.Context? {
        isWanted
            ? SearchOperation.Context(before: beforeContext ?? context ?? 0, after: afterContext ?? context ?? 0) : nil
    }

    var given: [String] {
        [("-A", afterContext), ("-B", beforeContext), ("-C", context)].flatMap { option, value in
            value.map { [option, String($0)] } ?? []
        }
    }
}
