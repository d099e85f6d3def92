import Glibc

/// The needed part of Linux's report about a TCP connection (`struct tcp_info` of linux/tcp.h).
///
/// glibc's own `tcp_info` ends before `tcpi_notsent_bytes`, which counts bytes that the kernel could not send yet. With
/// a peer that takes no more data, or without a network, these bytes are not among the unacknowledged ones.
struct TCPInfo: Sendable {
    private var known = tcp_info()
    /// `tcpi_pacing_rate`, `tcpi_max_pacing_rate`, `tcpi_bytes_acked`, `tcpi_bytes_received`.
    private var rates: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// `tcpi_segs_out`, `tcpi_segs_in`.
    private var segments: (UInt32, UInt32) = (0, 0)
    /// Filled since Linux 4.6; 0 before.
    private var notSentBytes: UInt32 = 0

    var acknowledgement: Acknowledgement {
        Acknowledgement(
            isComplete: known.tcpi_unacked == 0 && notSentBytes == 0,
            age: .milliseconds(min(known.tcpi_last_ack_recv, known.tcpi_last_data_recv)))
    }
}
