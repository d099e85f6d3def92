import Operations
import Options

/// The option to read cold accounts among several.
struct ColdOption: ParsableArguments {
    @Flag(.cold)
    var cold = false

    var given: [String] {
        cold ? ["--cold"] : []
    }
}
