import Operations
import Options

/// Runs the body, and rethrows a mistake in the parameters as an error that shows the command's usage.
func asUsage<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as UsageError {
        throw ValidationError(error.message)
    }
}
