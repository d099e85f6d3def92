import ChatModel
import Operations
import Options
import Rendering
import Settings

extension OutputFormat: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension LogRecordFormat: ExpressibleByArgument {}
extension MessageQuery.Names: ExpressibleByArgument {}
extension RoomReference.Kind: ExpressibleByArgument {}
extension RoomsOperation.Order: ExpressibleByArgument {}
extension UsersOperation.Order: ExpressibleByArgument {}
extension SearchOperation.Order: ExpressibleByArgument {}
