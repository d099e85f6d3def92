/// Why an exchange of SCRAM failed.
package enum ScramFailure: Error, Sendable, Hashable {
    /// The server refused the login, in its words.
    case refused([UInt8])
    /// The server violates the mechanism or doesn't know the password, so it may be an impostor.
    case invalidServer(String)
    /// The mechanism can't transmit this user or password.
    case invalidCredentials(String)
}
