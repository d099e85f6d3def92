import CSQLite
import ChatModel

/// The SQL functions by which a statement sees a message of a bridge as readers show it.
enum BridgeFunctions {
    /// `bridge_text(key, body)` is the text after the prefix; null if the key names no bridge, or the text has another form.
    static let text = "bridge_text"
    /// `bridge_bot(key)` is the bot's name; null if the key names no bridge.
    static let bot = "bridge_bot"

    /// Registers the functions on the connection of an account's file.
    static func register(on handle: OpaquePointer) {
        register(text, arguments: 2, on: handle) { context, _, values in
            let text = SQLFunctions.text(values?[1]).flatMap {
                BridgeFunctions.key(values?[0])?.pattern.match($0)?.text
            }
            BridgeFunctions.give(text, to: context)
        }
        register(bot, arguments: 1, on: handle) { context, _, values in
            BridgeFunctions.give(BridgeFunctions.key(values?[0])?.bot, to: context)
        }
    }

    private static func register(
        _ name: String, arguments: Int32, on handle: OpaquePointer,
        _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) {
        sqlite3_create_function_v2(
            handle, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
    }

    private static func key(_ value: OpaquePointer?) -> BridgeKey? { SQLFunctions.text(value).flatMap(BridgeKey.init) }

    private static func give(_ text: String?, to context: OpaquePointer?) {
        guard let text else { return sqlite3_result_null(context) }
        SQLFunctions.give(text, to: context)
    }
}
