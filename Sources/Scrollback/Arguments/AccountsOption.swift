import ArgumentParser

/// The option to read some accounts only.
struct AccountsOption: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "Only this account; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []
}
