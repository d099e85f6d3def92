import ArgumentParser

/// Whether a command that reads several accounts reads the cold ones, too.
struct ColdOption: ParsableArguments {
    @Flag(help: "Of several accounts read the cold ones too, one at a time, from copies in TMPDIR.")
    var cold = false

    var given: [String] {
        cold ? ["--cold"] : []
    }
}
