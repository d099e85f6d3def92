import ChatModel
package import Networks

extension SLPSettings: NetworkSettings {
    package static let traits = NetworkTraits.slp
    package static let capabilities: NetworkCapabilities = [.files, .unread]
    /// Eight requests at once (AsyncHTTPClient's limit for a host), two sockets of events, and two files.
    package static let socketCount = 12

    package static let liveKeys: [ComparedKey<Self>] = [
        .init("channels", \.channels), .init("attachments", \.files.fetched), .init("check_minutes", \.checkInterval),
        .init("sign_of_life_seconds", \.signOfLifeInterval), .init("buffer_bytes", \.bufferBytes),
        .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("app_key_file", \.appKey, isSame: Secret.isInPlace),
    ]

    package static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("email", \.email),
        .init("password_file", \.password, isSame: Secret.isThere), .init("ca_file", \.authorities),
        .init("generation", \.generation), .init("attachment_size_limit", \.files.sizeLimit),
    ]

    package var fileSizeLimit: Int64? { files.sizeLimit }

    package static let questions: [SetupQuestion] = [
        SetupQuestion(key: "server", words: "Server (https://HOST)"),
        SetupQuestion(key: "email", words: "E-mail address of your account"),
        SetupQuestion(key: "password", words: "Password", kind: .secret(isRequired: false)),
        SetupQuestion(key: "app_key", words: "Key of the service's own app", kind: .secret(isRequired: true)),
    ]

    package static let template = makeTemplate(
        for: "a workspace service", name: "work",
        keys: """
            # BLANK: the service, for example https://chat.example.net.
            server = ""

            # BLANK: the account's e-mail address.
            email = ""

            # A file with the password in its first line. Only you may read the file (chmod 600). The path is relative to
            # this file. Instead, password_env names an environment variable.
            password_file = "work.password"

            # A file with the key of the service's own app. Instead, app_key_env names an environment variable.
            app_key_file = "work.key"

            \(ConfigurationTemplate.authorities("work.pem"))

            # The generation of the service: 1 or 2 (default: the archiver detects it).
            # generation = 2

            # More channels to archive, besides those that the account is in. Reading a channel joins it.
            # channels = ["announcements"]

            \(ConfigurationTemplate.attachments)

            # The interval at which the archiver checks rooms, people and each room's history for missed changes.
            # check_minutes = 10

            \(ConfigurationTemplate.signOfLife)

            \(ConfigurationTemplate.buffer())

            """)
}
