package enum StreamChatWirePlaceholder {}
