import Archive
import ChatModel
import Files
import FoundationEssentials
import Moves
import Options
import Rendering
import Rescue
import Settings

struct RescueCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rescue",
        abstract: "Bring what is readable in a damaged account's file into a new file, and list what is lost.",
        usage: "scrollback archive rescue <file> [<folder>] [<options>]",
        discussion: """
            EXAMPLE: scrollback archive rescue accounts/classroom-7f3k2a/1.sqlite rescued

            Does not change the damaged file. The new account is in a data folder of its own: look at it with --data FOLDER, and use it \
            with "scrollback backup restore FOLDER". Times with lost messages become gaps, which a listener fills if the network has \
            history.
            Exit status: 0 everything was readable, 1 nothing was, 2 something is lost.
            """)

    @Argument(
        "file", help: "The damaged file: 1.sqlite with its -wal beside it, or a compressed 1.sqlite.zst.",
        completion: .file())
    var file: String

    @Argument("folder", help: "The data folder for the new account; created if it is missing.", completion: .directory)
    var folder = "rescued"

    @Option("account", short: "a", help: "The account's name, if the file has lost it.", valueName: "name")
    var account: String?

    private static let networks = (KnownNetworks.names + [Configuration.logNetwork]).joined(separator: ", ")

    @Option("network", help: "The account's network, if the file has lost it: \(RescueCommand.networks).")
    var network: String?

    @Option("format", help: "The output format.")
    var format = OutputFormat.text

    @Flag("utc", help: "Show times in UTC (default: the local zone, TZ).")
    var utc = false

    func validate() throws {
        guard (account == nil) == (network == nil) else {
            throw ValidationError("give --account and --network together, or neither")
        }
    }

    func run() throws {
        let progress = MoveProgress(verb: "rescuing")
        let name = file.lastName
        let identity = account.flatMap { account in network.map { AccountIdentity(name: account, network: $0) } }
        let report = try Archive(folder: folder).rescue(file, as: identity) { progress.show(name, $0.bytes) }
        progress.clear()
        let time = LocalTime(zone: utc ? .gmt : .local)
        let listing = RescueReport.Loss.listing(of: report, time: time)
        try StandardStream.output.write(
            listing.render(report.losses, format: format, width: Terminal.standardOutput?.width()))
        let rooms = report.rooms == 1 ? "1 room" : "\(report.rooms) rooms"
        StandardStream.note(
            "\(Sanitizer.line(report.account.name)): rescued \(Int(report.messages).of(.message)) in \(rooms), "
                + "\(ByteCount(report.bytes)) in \(Sanitizer.line(report.folder))\n")
        guard report.losses.isEmpty else {
            StandardStream.note(
                "scrollback: something is lost; the list shows it, and gaps mark lost messages: "
                    + "scrollback gaps --data \(ShellWord.quoted(folder))\n")
            throw ExitCode(2)
        }
    }
}
