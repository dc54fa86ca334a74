import Foundation

/// Seconds since it was made.
struct Stopwatch {
  private let start = ContinuousClock.now

  var seconds: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - self.start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
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
