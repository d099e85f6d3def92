import Options
import Rendering

/// The options of commands that maintain accounts.
struct ResultOptions: ParsableArguments {
    @Option("format", help: "The output format; text: a line for each account, on stderr.")
    var format = OutputFormat.text

    @OptionGroup(title: "Where") var folder: FolderOptions
}
