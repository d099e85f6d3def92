import ArgumentParser

/// The option to read cold accounts among several.
struct ColdOption: ParsableArguments {
    @Flag(help: "Include compressed accounts; reads them from temporary copies in TMPDIR.")
    var cold = false

    var given: [String] {
        cold ? ["--cold"] : []
    }
}
