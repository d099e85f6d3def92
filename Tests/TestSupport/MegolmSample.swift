/// Messages of the room `!r:x`, their keys and a key file, which libolm 3.2.16 and OpenSSL made.
package enum MegolmSample {
    package static let key =
        "AQAAAAAX9pHbQQ97wxmroDqVgthmknf+mEDGxsbFh00z2SufvULqgDJ/TmnA6QHraTXz2XH4BWsNSPdab7a0Z5bBbKbGLAE3fRAqvjPeRk61a5w5NFDFZUe273Eft+Z3ZhDwtXg7BfIy23k5E4X9m9H4wv2935s4lVLQcj0u3NEUsrI6++qCXNdInVgXEWSoc6FZ2mVd1xRU1hxF9Lkfv+KU6j3M"
    package static let keyFromMessage256 =
        "AQAAAQAX9pHbQQ97wxmroDqVgthmknf+mEDGxsbFh00z2SufvULqgDJ/TmnA6QHraTXz2XH4BWsNSPdab7a0Z5bBbKbG/kRtV/+ut3oT7YUuNyyDcT3DdhQ4O1ZIFZCURsd9DbGTYVz2RSEf7jSAKLO34XJ+7eV0YzkSloKQ5BgwHbpYCuqCXNdInVgXEWSoc6FZ2mVd1xRU1hxF9Lkfv+KU6j3M"
    package static let session = "6oJc10idWBcRZKhzoVnaZV3XFFTWHEX0uR+/4pTqPcw"
    package static let passphrase = "correct horse 말"
    package static let messages: [Int: String] = [
        0:
            "AwgAEnD40uq5UyqElLXv0sfPVo3fck0fKx5ucH/n9GNoh1+p0gK+zfo5++fqhJJ41gkFDsoniIChLsW7kNG4VT76fjrNhHvqZqQgv9QohG6XjD8UgzxWXJakbqnEvIt1sJgJPjcXWujxHxZN1sRJY4Sou30p/B68xenxY9mfmxlWRdspWAXc95x7dV+gZ44PDps8BqYhhVQigYBLxCf8ZOA6ugvMdMYztZ7Uh6/njdpYsr367ZjWJwV1lt4H",
        1:
            "AwgBEnDl3ULWzsCRj9RXvnquzNXIGwBkH4ZsoEWhgOGb6TRrVfAWWgkbVj2qjXJly/YWS9+GenRl9d45Vf4/P2vG56XkmZ4z7mJj8zsOfsHGhIDelRyzutedPYq2Eij3DBvRs8SHTHxM/KIFmRRmD/KFQcTXDdPSn9VJKf09ceMtI3Vv0dwDHG2pustHzTtB+wlaF+SCPhCechCnuaSMrxYGAjL647vcpr9vixG8wAoGFN1+MoY82OSSpkMD",
        255:
            "Awj/ARJweFna688e2iBNLIcIIvNCNhdJ5Yo1HECTZiIUFYeNCsmlSk8RqSVZTw2hI1xjBRn4mb5ycoLhOzloVu/GWWIu6qTNJbBwqYixAkNCAA358/Ivk4Y7I0QLFOcWINzQzyGClOH9MkXkqAevJY/KfbLpCHPrcuQ4fcHeAULM8Us6bku62X3GUk/FFfLF16QC0TxyOPoCMltFi1sKfrH362XORIkuA5fehAtgqnDJm9+zJ7TVrv/ZnzQDBA",
        256:
            "AwiAAhJwmP8l3z/xUmMlmIodFMTe3FLueEjuGm7sYpY20hxBmcgmk5PYUw4FVHf0TEwQcb/FyPbQJEuN2juYSG7hDTWLq4eUOXC5O0fkWnY0HaPYMV5XJh0Au1BX74XU9IlvZRoqgBE+TaqjE199+WMHuP5/MakzqV6KOqVjDWd8eVK76RjiGg0tVG3AUBtPZkIV+oXq3m1/s8yE9m24Kpxj/JByGKiW8edsQgTM2POCccYAnFazZ2J9MBcrAg",
        299:
            "AwirAhJwu63bF65nKrTKCLkc4a7lzKtICg/rH2QF2AVwxh93ghGqncv3d/YSFzocBlN2VOdRHBdiQL4wzjyt/RDnho7/V3jYWZ7VhOiBCmzpxLI3AWwb5Jar9j/GU+yyf6CGMPuraL6gqhIxkBrNn8nFHCwzpVCQIuaoCkA4y1RA5te3Mx5MJDWsp4pfg2YLBUSDjfl5GV+aSEh9IxDi0+cRQpN5jsGiyAakhGryqQuhpCinV9qDCJdlnTn0BQ",
    ]
    package static let file = """
        -----BEGIN MEGOLM SESSION DATA-----
        Ac1NJYP9YMALkhv86MF45paQoHB6uwJVwRtWjp6MStNlAAAD6Kz1rfuAr9vFgSSjrNSenA/wVb0dSUMrP4Ij8DZ/rfG3ebgX
        1jGJaNm7V4sxN5KP4iw785qZchsGVD9pw8RAugQOYIFFn3o2yD2qIVxK8C6WhkOFBAoNZY5vAEIU9YYiOF0ZuEvvQD1Pgc1C
        8Ic7nFAUT1msZs2qKhDGvogFM/AEmzmuxD4IJczxorjsI7+ctcoIkKvhU+cRDMYYGC9v/KwECqgtJpT+3c3eRYvMOxOBQ2C8
        JU71EiOu3ilml6auIRGnAwoD0fR8Y7nlj4xfiQlXsNS2ypLcGme0hWczl1YZLezH74omT7yZopxqe5Q6kPM/y3LTsbQ/c9Kb
        4UY6uZLBHP4847fYTP0qtvlrILLSawOhDs3uoxznwFCcDEDQwkZVTjyEXxecxLQI9DhId0om2Z10ak8HN/xObGzsN1sj02cq
        JGrt3dgFQT/mTrRNxlPwdnyoKxzrvl9AkVxtyfhvn1V5Aiow0wOQLO6CSuOwDzT030QpO6cyrYelCGTQIUSV50yiwJvvnonJ
        cb4vNGLnAh5Ts9zcwoiT6nhv2QzG8wJtkiyrbDTA/YTqzR2J42ytLS8EUpwqSDo7x3mlvDK8LMeVK5ydYoLNidRUKlbKQpaG
        7pthPdnjGgBVLY27NC9KyU0PuEGK509jnDPaFJE=
        -----END MEGOLM SESSION DATA-----
        """

    /// Returns the text of a message by its number.
    package static func body(_ number: Int) -> String { number == 0 ? "첫 비밀 메시지" : "secret \(number)" }
}
