import Scrollback

await ScrollbackCommand.main()
