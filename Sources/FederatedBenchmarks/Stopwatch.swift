import Foundation

/// Seconds since it was made: of the wall clock, or of the processor, which a busy machine disturbs less.
struct Stopwatch {
  /// Set once, before the first measurement.
  nonisolated(unsafe) static var countsProcessorTime = false

  private let clock: clockid_t
  private let start: Double

  /// - Parameter ofAll: the wall clock, even where the processor's time is wanted.
  init(ofAll: Bool = false) {
    self.clock = Self.countsProcessorTime && !ofAll ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC
    self.start = Self.now(self.clock)
  }

  var seconds: Double { Self.now(self.clock) - self.start }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The most memory that this process has had resident, in kilobytes, without what its launcher had.
func peakKilobytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
    let digits = line.filter(\.isNumber)
    if let kilobytes = Int(digits) { return kilobytes }
  }
  throw BenchmarkError("no VmHWM in /proc/self/status")
}

func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  return sorted.count % 2 == 1
    ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}
