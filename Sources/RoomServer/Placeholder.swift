package enum RoomServerPlaceholder {}
