import Glibc

/// The functions of libpq, PostgreSQL's client library, loaded when the first connection is made.
///
/// Linking libpq would cost every command 2 ms and 20 libraries *(measured)*. The signatures are those of libpq 15's
/// `libpq-fe.h`; all of them are in every libpq since PostgreSQL 9.6.
struct LibPQ: @unchecked Sendable {
    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Text = UnsafePointer<CChar>

    let startParameters: @convention(c) (UnsafePointer<Text?>, UnsafePointer<Text?>, CInt) -> Connection?
    let pollConnection: @convention(c) (Connection) -> CInt
    let finish: @convention(c) (Connection) -> Void
    let status: @convention(c) (Connection) -> CInt
    let socket: @convention(c) (Connection) -> CInt
    let errorMessage: @convention(c) (Connection) -> Text?
    let setNonblocking: @convention(c) (Connection, CInt) -> CInt
    let setNoticeProcessor: @convention(c) (Connection, NoticeProcessor?, UnsafeMutableRawPointer?) -> NoticeProcessor?
    let send:
        @convention(c) (
            Connection, Text, CInt, UnsafePointer<UInt32>?, UnsafePointer<Text?>?, UnsafePointer<CInt>?,
            UnsafePointer<CInt>?, CInt
        ) -> CInt
    let sendPrepare: @convention(c) (Connection, Text, Text, CInt, UnsafePointer<UInt32>?) -> CInt
    let sendPrepared:
        @convention(c) (
            Connection, Text, CInt, UnsafePointer<Text?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt
        ) -> CInt
    let sendScript: @convention(c) (Connection, Text) -> CInt
    let serverProcess: @convention(c) (Connection) -> CInt
    let flush: @convention(c) (Connection) -> CInt
    let consumeInput: @convention(c) (Connection) -> CInt
    let isBusy: @convention(c) (Connection) -> CInt
    let nextResult: @convention(c) (Connection) -> Result?
    let resultStatus: @convention(c) (Result) -> CInt
    let resultErrorField: @convention(c) (Result, CInt) -> Text?
    let resultErrorMessage: @convention(c) (Result) -> Text?
    let clear: @convention(c) (Result) -> Void
    let rowCount: @convention(c) (Result) -> CInt
    let columnType: @convention(c) (Result, CInt) -> UInt32
    let columnName: @convention(c) (Result, CInt) -> Text?
    let isNull: @convention(c) (Result, CInt, CInt) -> CInt
    let length: @convention(c) (Result, CInt, CInt) -> CInt
    let value: @convention(c) (Result, CInt, CInt) -> UnsafeMutablePointer<CChar>?
    let changedCount: @convention(c) (Result) -> Text?

    typealias NoticeProcessor = @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void

    /// The environment variable with another path of the library.
    static let variable = "SCROLLBACK_LIBPQ"

    private static let loaded = Swift.Result {
        try LibPQ(path: getenv(variable).map { String(cString: $0) } ?? "libpq.so.5")
    }

    /// Loads the library once.
    ///
    /// - Throws: ``PostgreSQLError`` if it is missing.
    static func load() throws -> LibPQ { try loaded.get() }

    private static func open(_ path: String) throws -> UnsafeMutableRawPointer {
        if let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) { return library }
        let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
        throw PostgreSQLError(
            kind: .library,
            detail: "PostgreSQL's client library can't be loaded (\(reason)); on Debian: apt-get install libpq5")
    }

    private init(path: String) throws {
        let library = try Self.open(path)
        func find<Function>(_ name: String) throws -> Function {
            guard let address = dlsym(library, name) else {
                throw PostgreSQLError(kind: .library, detail: "\(path) has no function \(name)")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        startParameters = try find("PQconnectStartParams")
        pollConnection = try find("PQconnectPoll")
        finish = try find("PQfinish")
        status = try find("PQstatus")
        socket = try find("PQsocket")
        errorMessage = try find("PQerrorMessage")
        setNonblocking = try find("PQsetnonblocking")
        setNoticeProcessor = try find("PQsetNoticeProcessor")
        send = try find("PQsendQueryParams")
        sendPrepare = try find("PQsendPrepare")
        sendPrepared = try find("PQsendQueryPrepared")
        sendScript = try find("PQsendQuery")
        serverProcess = try find("PQbackendPID")
        flush = try find("PQflush")
        consumeInput = try find("PQconsumeInput")
        isBusy = try find("PQisBusy")
        nextResult = try find("PQgetResult")
        resultStatus = try find("PQresultStatus")
        resultErrorField = try find("PQresultErrorField")
        resultErrorMessage = try find("PQresultErrorMessage")
        clear = try find("PQclear")
        rowCount = try find("PQntuples")
        columnType = try find("PQftype")
        columnName = try find("PQfname")
        isNull = try find("PQgetisnull")
        length = try find("PQgetlength")
        value = try find("PQgetvalue")
        changedCount = try find("PQcmdTuples")
    }
}
