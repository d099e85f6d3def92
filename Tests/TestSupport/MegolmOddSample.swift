/// Messages of the room `!r:x` that have no text for people or are copied, and a key file. Python's `cryptography` 50.0.2 made them by
/// the specification of Megolm.
package enum MegolmOddSample {
    package static let session = "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw"
    package static let passphrase = "correct horse"
    /// A vote.
    package static let vote =
        "AwgAEsAB2yUr6787m10dCmwYivxUNerYa8TUaY+AMF1PtzdRGbabKM45GjBUaQrsWWNlLNtAiJ/topIBJAE0AsuyLRxDduJ7ZFIPI7ubOYl67fR0yAp9z57FIBVxclgjfGy9pem+OwsP1gGsarQk81NsYE233i4oVXKF7VRZ7Xcn6LNrcETrCq3XStlTUvrKWKvf7Pn3kzyPjbNUHscbt4il5v+Cbb4tH6NDfVok9aJ6NQyVUqam8suiJ7PikZy96FJL90oqQxuMnhMygkhBPjtNA+o7/iO4b7L3XY2xCgo+j7Sx+4UDql18lgfYz+mAp6aE/TDpkYUeV6ZPAXv4fi0ZrbYEq5+reDukaRAC"
    /// An event of a type that a program defines.
    package static let own =
        "AwgBElAw+3gz9rneAP/1tcj8yn3M4ffB0XZItib/15amol+45zCQRvWwkZFuOp31byvQFtdKlAjmdgohPY0l19kFulirKLnMhs1MgdleQVnq0LB7tSCkidFT53G51c1VSvsO3b43u6PgAN9NbtMyDDkvqFNCfogGWZI/Z/EOMGgi81Zz2BcVitELlahvtCuBmfFwWR5coXVDwho1CA"
    /// A message with the text `own words`.
    package static let text =
        "AwgCEmCvfiFj9dgev6CyvJPL9KY2+QexQ+t3eaumXIkYoIBF7db68cBPB7XHwGiP2kxb9EDNqNrsyIYDjeR2cTROJAKBkZKHrSuVchGzv9cz1y3/wzIueWfG+4RU4YwhNyeewOD7P6o7aY0Eq1rK54sHJ+slsOUqyKtUsFfW2gfUh/uA7JlBMUcTa6oxz5U7c+fS8aUyZFBeOAJ+8j4LPsuk07ur0w1xM5vR+gw"
    package static let file = """
        -----BEGIN MEGOLM SESSION DATA-----
        AQUFBQUFBQUFBQUFBQUFBQUGBgYGBgYGBgYGBgYGBgYGAAAD6BKzZpkM/b2v7FLS23vp3AVcj6mORFgdRi6VvQjz69XYC4Hr
        /ay7xsiSoFeYX+e7BhH31o6YgD8jbs5ljfFtExJTU/FZCux/yM8Tdo/FaiYWEpLwAoCXDaYeZZxxCgdZLEjNRAAWy5TeqAhg
        o/Ga7FPMkVbR2g7ONmQs4airgI+OBxENkY9TvmcS4tGmcYHMLddGn7wqa67FM6T1lP/8uYP1LSzfu50PC26+pCizA06SCzmQ
        ClVOJl9QqA2oafaoHVauETBBUoaAMM51JPGIOWjD1xPOz/4bfz1sMJDF8k24P1IueZLZs2CC0HF4eT2USkdY93415NF9S5jx
        G5uqL4S3cETu2BV0+GXS2dlE8JPAKxWzu6WLWXUKPSLUVt8PD5ucCRwZwdbSxweM3Xy0cOPoffl98W6k/AgD9xkUwvV1sunN
        uaWTIlcWdb1Y36ceVImCPequA5RkIK+LS9TU8hWp9gPBwVgqbtOCPI1Oz2mIzvtizXLk5qfKnsdxImOmV5vECytCyfnYcuKo
        X4ek4n1JSARNjxaqi8jc2pH5F8VtLE0J1EKiLDJ1SpO4OVQQJ7KOc81MRKlCSAnAxNn91Xi2zsP9yeXvdvibxkn/HCnmAena
        fsxv2uBtXT8=
        -----END MEGOLM SESSION DATA-----
        """
}
