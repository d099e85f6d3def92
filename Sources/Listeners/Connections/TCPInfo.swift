import Glibc

/// What Linux tells of a TCP connection (`struct tcp_info` of linux/tcp.h), as far as it is needed here.
///
/// glibc's own `tcp_info` ends before `tcpi_notsent_bytes`. That counts what could not even be sent: to a peer that takes
/// nothing more, or with no network left, nothing is unacknowledged for it.
struct TCPInfo: Sendable {
    private var known = tcp_info()
    /// `tcpi_pacing_rate`, `tcpi_max_pacing_rate`, `tcpi_bytes_acked`, `tcpi_bytes_received`.
    private var rates: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// `tcpi_segs_out`, `tcpi_segs_in`.
    private var segments: (UInt32, UInt32) = (0, 0)
    /// Since Linux 4.6; 0 before.
    private var notSentBytes: UInt32 = 0

    var acknowledgement: Acknowledgement {
        Acknowledgement(
            isComplete: known.tcpi_unacked == 0 && notSentBytes == 0,
            age: .milliseconds(min(known.tcpi_last_ack_recv, known.tcpi_last_data_recv)))
    }
}
