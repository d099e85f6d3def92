/// All formats that can be read. A new one is a folder beside this file, and a line in ``all``.
package enum KnownLogFormats {
    /// In the order in which reports and help list them.
    package static let all: [any LogFormat.Type] = [
        DiscordFormat.self,
        DiscordPackageFormat.self,
        TelegramFormat.self,
        TelegramHTMLFormat.self,
        SlackFormat.self,
        MessengerFormat.self,
        SignalFormat.self,
        SignalExportFormat.self,
        SigtopFormat.self,
        ElementFormat.self,
        SMSBackupFormat.self,
        SMSExportFormat.self,
        TwitterFormat.self,
        MattermostFormat.self,
        ZulipFormat.self,
        RocketChatFormat.self,
        GoogleChatFormat.self,
        HangoutsFormat.self,
        SkypeFormat.self,
        IMessageExporterFormat.self,
        WhatsAppFormat.self,
        KakaoTalkFormat.self,
        LINEFormat.self,
        JSONLinesFormat.self,
        IrssiFormat.self,
        WeeChatFormat.self,
        ZNCFormat.self,
        EnergymechFormat.self,
        MIRCFormat.self,
        HexChatFormat.self,
        PidginFormat.self,
        MCabberFormat.self,
        ProfanityFormat.self,
        KonversationFormat.self,
        KVIrcFormat.self,
        BipFormat.self,
        IIFormat.self,
        CatgirlFormat.self,
        CirceFormat.self,
        EggdropFormat.self,
        LimnoriaFormat.self,
        SopelFormat.self,
        IRC3Format.self,
        TheLoungeFormat.self,
        QuasselFormat.self,
        SojuFormat.self,
        SlackdumpFormat.self,
        GajimFormat.self,
        DinoFormat.self,
        ProfanityDatabaseFormat.self,
        IMessageFormat.self,
        CSVFormat.self,
    ]

    /// The formats that need the columns' meanings from the user, and recognise no file.
    package static let tables: [any LogFormat.Type] = [CSVFormat.self, NamedJSONFormat.self]

    /// The formats of SQLite databases.
    package static let databases = all.compactMap { $0 as? any DatabaseFormat.Type }
}
