import ArgumentParser

/// The option to read cold accounts among several.
struct ColdOption: ParsableArguments {
    @Flag(help: "Of several accounts read the cold ones too, one at a time, from copies in TMPDIR.")
    var cold = false

    var given: [String] {
        cold ? ["--cold"] : []
    }
}
