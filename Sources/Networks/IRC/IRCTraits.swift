extension NetworkTraits {
    package static let irc = NetworkTraits("irc") {
        ($0.hasNamesAsKeys, $0.hasClientLogs) = (true, true)
        // Each server chooses its `msgid`s.
        $0.mayRepeatIDs = true
    }
}
