import Scrollback
import ServerCommands

// The commands of `scrollback`, with what they do in networks.
ServerProgram.install(ServerCommandWork())
ScrollbackCommand.main()
