/// A key backup, its secret storage and a message of the room `!lounge:example.org`, whose values vodozemac, libolm and mautrix
/// confirmed.
package enum KeyBackupSample {
    package static let recoveryKey = "EsSz ykH7 LCZx 7Cae cmKD wcmY JRXi Ybtu 8iQ3 t8Ez nRwK pUY1"
    /// The bytes of the key: 0 to 31.
    package static let recoveryKeyBytes = [UInt8](0..<32)
    /// The content of `m.secret_storage.key.KEY`.
    package static let key = """
        {"algorithm": "m.secret_storage.v1.aes-hmac-sha2", "iv": "AQEBAQEBAQEAAAAAAAAAAA",
         "mac": "/u4dfn1O1EUCwYSC/B3PReIbeIHnzrJCCLTC/Ei7omA"}
        """
    /// The content of `m.megolm_backup.v1`.
    package static let secret = """
        {"encrypted": {"KEY": {"iv": "AQEBAQEBAQEAAAAAAAAAAA",
         "ciphertext": "O8TTqUgHV5vc3H1rRE7dxgEY0aJ6WSra2xTNQzNmmhgKAcADJnjmFgNv5A",
         "mac": "kcGaydVSTXz/X4WXHaWTkjCiHqKET6qmYGsnwno5CU0"}}}
        """
    package static let passphrase = "correct 말 battery"
    /// The bytes of the key that the passphrase makes, in hexadecimal.
    package static let passphraseKey = "a6e34c9ffb19c7279ff91b9aa6dfad913726d52635953e0796df4221ac3840d0"
    package static let privateKey = "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM"
    package static let publicKey = "fZwkMWU5glwYluV/KBl3Rnk85gy+461H2p0HuF+lXio"
    package static let room = "!lounge:example.org"
    package static let session = "qs9vAn5phmL4EaPs0A9x+wOZF258K0DB5u2FVH+pSLc"
    /// The session as `/room_keys/keys/ROOM/SESSION` has it.
    package static let backedUp = """
        {"first_message_index": 0, "forwarded_count": 0, "is_verified": true, "session_data": {
         "ephemeral": "jG5DzGf2vrSDepT2R9lhUi+5RWknMSCf1nlJV6NmUCg",
         "ciphertext": "n+N918dQ/Zb65zLI5mxUbG0BfZic7+I+kOmIKGKo11KycGxrBOBXLqG8osQOUwDbwolnHmeHGDTq/Pr/EI/DQPaddr6p1HDfA0e99twfcmDvpd\
        AnDN3GO++bbVImJzg8+CWPinFQ3Q4hGLlurOV52owUJ18/osWW95Jenm74/Y4IGYuivFNLfx9N8VCTxFn3ahesFhDDNIHIeBUaPq95H8yZVpoS\
        64SSy78cMkxzGsqYK6cIt9FkSpas2PG6HNXTPnfxgbg+EYsTnsypEJ0YqViQ3G3FKPBSRWW8p4uLXgjyLUYmpBfbGAtppqlz4uHOqAfjxAxzVb\
        ltDnRQnbyu0G8nYbUgwVbJF1+X+H55jPqJFGhJsFdN4AQddsUjf6fJh6T7a7XzMGXEfK3ufey7indTAa6wGd1j+hX2+Pu4XOY+eO4QvVSX5IDe\
        VlwvakWSspTccDBSukd0vB5SWSjVpobReq8ghcjSYoGnFzZT4E4FrmHrflS2JXuz6JCJB4ngIQUZs7Wfqg1mzXBMNDSIwbzbDmrZiJcgDRClmP\
        xn4ddeHFK9jisL8rNomAtWQWDTuMhngwn8ihnlTuK9fR1ENykV+p5erVELybZYkQYUpT8",
         "mac": "eMJgSyy/zZs"}}
        """
    /// The ciphertexts of messages by their numbers in the session.
    package static let messages: [Int: String] = [
        0: """
        AwgAEoABRZGIq1mPAaQyCp8MlIjGqIGdUJxP+8eLXj2Ht0hnHbZu7OzeFZjc1c+9d6M1W+diTJZdhomnD9llpA90Tdj9WfK4T+b8SZZH5nCxrn\
        zozpmURKg/nyOktytIvLalBwwU/aLLDHIn5XGMHs6c5wZbe2aogPa3qfiCbdamTf3bZGq8qnMK67/WN2dIrJ+OCbUx5rjd+o/goQUwehH/LKZj\
        ZN5QImqaCW1kmamJ6Msn0lKEvfheFV5IYtILQxSoMyHkTFiHleM3WgE
        """,
        1: """
        AwgBEoABQo3xajNm929HwmRQs/SFdgaPBqs8H6Md09jBkwa8AsMBk6AlBh2tk53Nz+VYGz8P+QXo9UbL1hvKVutIaJL0kNpZ8oL1wpTQrOmrZ7\
        dFCZME4rLMyxwlino2a4hSrHSUPyVtwOYY7a7R57UPHTkG1vFniKIZ0qZB69e59l34VNleYQdM1Nv7+rXCt8+cigFqHlzMpF6mhA4RrSYbWqK4\
        ePSrNTy4hBf26umtcvzoCzQ+uJbZvTUMrobv0VVmJwrZaG4F4/4dyAY
        """,
        255: """
        Awj/ARKAAfS32IRBHIjQro++R8/yyjTG82j9XBn+pqvvACUGIm0xdVRH2nRbBQh4BYuddJGnX8U78t1lQUn+HiP4yMfWBEMcbnCjJ8tfAjPjBA\
        hSP0h2W5BHdSuXsJmp9sfSxjYZHAqSnmW4O0ocJviGi6GlF+pIeMW+67etFyi/DBKjjmFl3t+JKO6TPbtZFY3TG9zHDqaaDX1HVCZ8y4HpPO/l\
        M2Lf2sPR0QNZlJ2ne8eBMd0I0A+aPRyNLpLSbt5u8h6hQN43jJ13IDsH
        """,
        256: """
        AwiAAhKAAfA/prOIik705XehhUPR1TWNC9CBrv/6K2GpiurCfa7pK+m43sOV5mKxKLIdliaUNWZI3JAavgg6PX74VwnM6SXUq0DfByS80lhDfH\
        1Ee5NkpT+lJpIunphFkIFqrvP6lwdY40jyO3woBHAcEh9TqF6UoXX/x2tSChzkQfSf6xhT1WV4Tkm4Xs/UKMNl8YUqbwFBJ77KLHyFot9T9jz1\
        ZHWgdypltino0Po97f5B3QSmGSFWmmHMw0D1E2AQR8iJ/kDyFWryHxoJ
        """,
        299: """
        AwirAhKAAUnl+wHVWNjt6JW5swIuinE5fcMR2jce0j8txgR0+3p/oHPBKAg6gJ8w2ff9wD0UC5zt0NnM0yjKx6FLz6D4xSV48uFPmT6MxJoVI6\
        tfO/PqGS/F2QC6t/ifjDfPydiLmBHttb/O9Sp2XTiEuhhznMRDbpTJPBYYpiK258fNHYzl97hSI/PuVBb7DGIHzQ09Qr93b6x3phoh77rBcfVK\
        6OgDQdiphX4OohFctxq5iiknehRAWPromif2TZb62uFSkIp6HT+5DBAJ
        """,
    ]

    /// Returns the text of a message by its number.
    package static func body(_ number: Int) -> String { "안녕 \(number)" }
}
