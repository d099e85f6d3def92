/// Messages of the room `!r:x`, their keys and a key file, which libolm 3.2.16 and OpenSSL made.
package enum MegolmSample {
    package static let key =
        "AQAAAABSreqnmQ6yHGV1OV7ym1OUFNkhArArGxbFQAJUW1mwON8Nh+uxNYXXtZ6li1o4G+YIM6+qVFyICH44BFAudcUQeFUP4Bc4rQ0uzUwGvPupyKQTXqWFu0ZMZo2KLqiaiDfZP/a2yGD2A7VSkSDoJgvSyOO04nx1JHAADCSqfM6bAMbxGGQSmVNKz0Ag9srJOr2bd53SvJI/hBF9C49SAGP4"
    package static let keyFromMessage256 =
        "AQAAAQBSreqnmQ6yHGV1OV7ym1OUFNkhArArGxbFQAJUW1mwON8Nh+uxNYXXtZ6li1o4G+YIM6+qVFyICH44BFAudcUQVEtnnQ8SWstymhN9TnNLlcELh7f42IYOe9L9vp7K+Xx0YTUrY1AyVPRJyQ68oHbfWz9fUKnOEY76dbGdG/Lz98bxGGQSmVNKz0Ag9srJOr2bd53SvJI/hBF9C49SAGP4"
    package static let session = "xvEYZBKZU0rPQCD2ysk6vZt3ndK8kj+EEX0Lj1IAY/g"
    package static let passphrase = "correct horse 말"
    package static let messages: [Int: String] = [
        0:
            "AwgAEnDTr4jD8og+P9tvLyog7oUj1zel0Wp7W3A/OuoQmtMzjJzVg1RydSQY4wJ45DBcox4jhEwZFHZPslXCMNVwL51MAcfl+a/LjaeUjbldVtd7okbXz+qNGX3FyJmCz8EmYGYodb4WutbRRPU4dfH7SQkIdRHy6xV8SPlIrMx+A4oii2wxRGnelZckOdIHiZt/WFN/AZ0CBdAIxihfnx7yaTfo00mGj3JAGf94VMB5JdYhIvo1eQB9KJYH",
        1:
            "AwgBEnC06fBGXnqmm6NtRKnScfu6m1FW32+D8IKGzlSOBZONElwl8vUkcO98EWG/Vgyy8e99RoXvXN5LzyxfJDqqOMMwI/f1cXS6ZaCF348dkIOWMT29JzIl+eXrpyJPN+c2wZbpWFKPtBkoVLjSZRiLV2DaiX9xU4Gym3s7ztMR9Zgil7cVyvzOQtd9XRIco6614Wkur/c/d2qPKHme8alUS0mmChzOjvWcfZZgMx8k7BcPWWb7haUtGrQP",
        255:
            "Awj/ARJwxLNdSSYM38EJXxykniPAcJBsSKRa+C91eL9gqSiTUYLNnMQ9su8Wgp7jM7zj/LP99ST2ApvQwguu6uUWpT/AmoKqvFpZkiSZjnOY6FVt4fBbfiClyYLO07LgIvIvx5VX+99o969kGs0SAxVh5VbdcDb8v8ciprYZ8RuSAAvZGtDgjmZOqtA9krPQIIHkaoY7aZdW4AszkrZo2X3S+mfXlGHzcAZC9QWEhQyHAoEqoz5zm0day/f4CA",
        256:
            "AwiAAhJwTGKQGy/xCcxuaOURIOZm+c0iRjtZ7FkjhmmvLP4cq9/KmAaOn6vlE5beVoFnd1BYy3ZuvPCWQ/57+9CNT97MwhE7MpwXUmdKKXRB1tU/wnF+WjeHfVWrhGGPh3oH7Wr+gCcWnC8CegrhLwP8byc03w6xVndYJA2PLMolNiWCNRx3rJ34580788eOOEYcOsuLWOS0g2EavO+DMmxtfJSccO3sR9LWUByKH0TLIwJdSsodMoo0GjOSCg",
        299:
            "AwirAhJw5vxdAtlyuNV7CWd64OadOhz0j0p1YTKvlXQoRfSdICdjfR+kWlhC2NVkF1Uuubxt8PMpmWv4hvDeZFim4Wf8ZyDEdZxgUbUM+kY4UVJLEm7YBhTcvCSdTNdy+NZS4PyIrOOIfnIFHqc8Gwc3oCbrA521PEgQ3FUqnysWhuIWNvCJHZxB+qbHn1NGt0cFPEANYQBnFUFSGRaB4QPM8GmJH9drZBzxQbXkkxi8TFnPAPGvwzCJDXYTBw",
    ]
    /// The second message, which edits the first one.
    package static let edit =
        "AwgCEsAB3te7B8lyLae4PyQ3qX4BbkU9iVsdQCGO+hS4g+XiD9w6QxgtWnjrGqRLK36dk8dOTosf6Y1jO3RN4rQS10u/gogXyMiSU6wutINp9a1R29yx7usyFWtJ1fmENd7ZpxSTvuFRTG9EPm0J+cpEJOI4piLKX3N8Ugm1sFybC7UT/w2gui5ST3/V0mJZgagg0xglnwHAvdv4EWFjWUpbKRa7qQVW+v92c2Cf2DjQr98GZtVtwoCM0YkEbXetMOpq6tPAIOm4XNEAyzsIBB8tBcWID8BiaiNcrMlUQst9n7urYGPHqregDhZPEo0NT1w7djQe0bJp2o3zcJJH4aT8ySOfUbyJkkdQ6AcI"
    package static let editedBody = "고친 메시지"
    package static let file = """
        -----BEGIN MEGOLM SESSION DATA-----
        Aam2VJs9En0qI9W/3NuAO9Lo38Ul9UDORErR10jkjY6WAAAD6JmtJgzLoqV4HrVgOgrTpYJdirrwc5XSSsXwDeYVB8YNjKoH
        ex5OEYypFGJx9/4W7FeYdztMA/4t1n5kHv0zNMJQinrQGYzNhfS/owqe110OafvW/4yce4UnHc5RMDWsiAc2aTQ7l30MJdXX
        iAJqn53xEzGQRcEZywhT2rhvTEXGwuesiE4rv8Wsqx0XxkkEy7lxDsAHNOmcStXiFsPp0Y1AttvbmIbLkAMyIN0SpkEfNUS6
        XfkZghzs3s460Ieyn84j3/uCuzT8GGaaHgewUNFOoeIXVtudebX0SmaxkaREgsPaJbKfTtZzms6xlZslw8LKlM0zpekmKaEw
        s62mog7Dg1RnxKMnuFbGqIXL5wbqinYjDqt8GvqyKcj8boom1jt1zIS14XhBYGIJf0PZ0BeTyu478u3ZbfTZdHnItfhYxNla
        S5mv+B8g3zCqBAhDU07G7nG6+R7HlinBK3sXr92wDsNutvPpYyh6H6JS/en2pumXHELCvOHn9rvkniu2QOd12YWckzGWsQ1z
        VQ5WaUqBdRuR+Dtd4bI2W+XtNLyFeeYLWHXUfW3cdAyS5/BDv7DqJ57JhRSLkNmU4tf8+I9RUlILYxkpUbXOZFwACbw+NqZc
        WNWF2KSeQIKmL2KmGSZ2i9Yq6wee+z2EaYPRhFs=
        -----END MEGOLM SESSION DATA-----
        """

    /// Returns the text of a message by its number.
    package static func body(_ number: Int) -> String { number == 0 ? "첫 비밀 메시지" : "secret \(number)" }
}
