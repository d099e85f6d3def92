import FoundationEssentials
import Options
import Rendering
import Settings

struct ConfigEditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a copy of the configuration, and replace the file if the copy is valid.",
        discussion: """
            EXAMPLE: scrollback config edit

            The editor is VISUAL, else EDITOR, else vi. The file keeps its owner and mode. A running listener is not reloaded.
            """)

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let work = try ServerProgram.work()
        let search = folder.search
        let path = try search.requiredConfiguration().path
        let draft = try ConfigurationDraft(of: path)
        guard try edit(draft, check: { file throws(ConfigurationError) in try work.check(file, home: search.home) })
        else {
            draft.remove()
            return StandardStream.note("configuration \(Sanitizer.line(path)) is unchanged\n")
        }
        try draft.replace()
        StandardStream.note("saved configuration \(Sanitizer.line(path))\n")
        guard let data = try? search.dataFolder(), let listener = DataFolderLock.holder(folder: data) else { return }
        StandardStream.note(
            "a listener runs with the earlier configuration; to reload it: kill -HUP \(listener) (or systemctl reload)\n"
        )
    }

    /// Edits until the draft is valid. Returns false if it was not changed.
    private func edit(
        _ draft: ConfigurationDraft, check: (ConfigurationFile) throws(ConfigurationError) -> Configuration
    ) throws -> Bool {
        let editor = Editor(environment: ProcessInfo.processInfo.environment)
        while true {
            do {
                try editor.edit(draft.path)
            } catch {
                draft.remove()
                throw error
            }
            guard try draft.isChanged() else { return false }
            do {
                try draft.check(check)
                return true
            } catch {
                StandardStream.note("scrollback: \(error.sentence)\n")
                guard TerminalPrompt.isPossible, TerminalPrompt.confirm("Edit again?") else {
                    throw CommandError(
                        .editor, "the configuration was not saved: the draft has mistakes",
                        hint: "the draft is \(Sanitizer.line(draft.path))")
                }
            }
        }
    }
}
