import Scrollback

ScrollbackCommand.main()
