import Operations
import Options
package import Rendering
import Settings

/// The description of the API (OpenAPI 3.1), made from the same parameters that the routes read.
enum OpenAPIDocument {
    static let text = document.text + "\n"

    private static var document: JSONValue {
        let routes = APIRoutes.routes.map { route in
            let operation = self.operation(
                "Returns the document that `scrollback \(route.command) --format json` prints.",
                parameters: route.operation.parameters + Parameter.everywhere, inPath: route.pathParameters,
                content: content("application/json", ["type": .string("object")]))
            return JSONValue.Member(
                key: "\(APIRoutes.root)/\(route.path)", value: .object([.init(key: "get", value: operation)]))
        }
        return .object([
            .init(key: "openapi", value: .string("3.1.0")),
            .init(
                key: "info",
                value: [
                    "title": .string("Scrollback"), "version": .string(ProgramVersion.current),
                    "description": .string("Reads an archive of chats. docs/json.md explains every key."),
                ]),
            .init(key: "security", value: .array([["token": .array([])]])),
            .init(key: "paths", value: .object(routes + [changes, readMarks, files, itself])),
            .init(key: "components", value: components),
        ])
    }

    // MARK: Routes without a command

    private static var changes: JSONValue.Member {
        let kinds = JSONValue.object([
            .init(key: "application/x-ndjson", value: ["schema": ["type": .string("string")]]),
            .init(key: "text/event-stream", value: ["schema": ["type": .string("string")]]),
        ])
        let get = operation(
            "Returns the change feed to its end, as `scrollback tail --feed --format jsonl` prints it; or follows it as "
                + "server-sent events.",
            parameters: ChangeRoute.parameters, content: kinds)
        return .init(key: ChangeRoute.path, value: ["get": get])
    }

    private static var readMarks: JSONValue.Member {
        let properties = (ReadMarkSelection.parameters + Parameter.everywhere).map { parameter in
            JSONValue.Member(
                key: parameter.name,
                value: parameter.isRepeated
                    ? ["type": .string("array"), "items": ["type": .string("string")]]
                    : parameter.kind == .flag ? ["type": .string("boolean")] : ["type": .string("string")])
        }
        let body = JSONValue.object([
            .init(key: "required", value: .bool(true)),
            .init(
                key: "content",
                value: content(
                    "application/json",
                    .object([
                        .init(key: "type", value: .string("object")),
                        .init(key: "properties", value: .object(properties)),
                        .init(key: "additionalProperties", value: .bool(false)),
                    ]))),
        ])
        var members = operation(
            "Marks rooms as read, and returns their unread messages as `scrollback unread` does.", parameters: [],
            content: content("application/json", ["type": .string("object")])
        ).members
        members.insert(.init(key: "requestBody", value: body), at: 1)
        return .init(key: ReadMarkRoute.path, value: ["post": .object(members)])
    }

    private static var files: JSONValue.Member {
        let hash = Parameter("sha256", .text, "The SHA-256 of the file's bytes, in hexadecimal.")
        let get = operation(
            "Returns an archived file, or a range of it.", parameters: [hash], inPath: ["sha256"],
            content: content("application/octet-stream", ["type": .string("string")]))
        return .init(key: FileRoute.path + "/{sha256}", value: ["get": get])
    }

    private static var itself: JSONValue.Member {
        let get = operation(
            "Returns this description.", parameters: [],
            content: content("application/json", ["type": .string("object")]))
        return .init(key: APIRoutes.root + "/openapi.json", value: ["get": get])
    }

    // MARK: Parts

    private static func operation(
        _ summary: String, parameters: [Parameter], inPath: [String] = [], content: JSONValue
    ) -> JSONValue {
        let problem = JSONValue.object(["$ref": .string("#/components/responses/problem")])
        let again = JSONValue.object(["$ref": .string("#/components/responses/again")])
        return [
            "summary": .string(summary),
            "parameters": .array(parameters.map { self.parameter($0, isInPath: inPath.contains($0.name)) }),
            "responses": [
                "200": ["description": .string("The answer."), "content": content],
                "304": ["description": .string("The client has the answer: If-None-Match named its tag.")],
                "429": again, "503": again, "default": problem,
            ],
        ]
    }

    private static func parameter(_ parameter: Parameter, isInPath: Bool) -> JSONValue {
        let type = schema(parameter.kind)
        return .object([
            .init(key: "name", value: .string(parameter.name)),
            .init(key: "in", value: .string(isInPath ? "path" : "query")),
            .init(key: "required", value: .bool(isInPath)),
            .init(key: "description", value: .string(parameter.requestHelp)),
            .init(
                key: "schema", value: parameter.isRepeated ? ["type": .string("array"), "items": type] : type),
        ])
    }

    private static func schema(_ kind: Parameter.Kind) -> JSONValue {
        switch kind {
        case .text, .time: ["type": .string("string")]
        case .flag: ["type": .string("string"), "enum": .array([.string("0"), .string("1")])]
        case .number(let range):
            [
                "type": .string("integer"), "minimum": .number(Int64(range.lowerBound)),
                "maximum": .number(Int64(range.upperBound)),
            ]
        case .choice(let choices): ["type": .string("string"), "enum": .array(choices.map(JSONValue.string))]
        case .choices(let choices): ["type": .string("string"), "pattern": .string(Parameter.pattern(of: choices))]
        }
    }

    private static func content(_ type: String, _ schema: JSONValue) -> JSONValue {
        .object([.init(key: type, value: ["schema": schema])])
    }

    private static var problemContent: JSONValue {
        let text: JSONValue = ["type": .string("string")]
        return content(
            "application/problem+json",
            [
                "type": .string("object"),
                "required": .array(["type", "title", "status", "detail"].map(JSONValue.string)),
                "properties": [
                    "type": text, "title": text, "status": ["type": .string("integer")], "detail": text, "hint": text,
                ],
            ])
    }

    private static var components: JSONValue {
        [
            "securitySchemes": [
                "token": ["type": .string("http"), "scheme": .string("bearer")]
            ],
            "responses": [
                "problem": [
                    "description": .string("An error; docs/errors/ explains its type."), "content": problemContent,
                ],
                "again": [
                    "description": .string("The server is busy, or the sender asks too much; ask again later."),
                    "headers": [
                        "Retry-After": [
                            "description": .string("The seconds to wait, if the server knows them."),
                            "schema": ["type": .string("integer")],
                        ]
                    ],
                    "content": problemContent,
                ],
            ],
        ]
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
