import Foundation

/// What one process found out about one way of one task.
struct Measurement: Codable {
  /// The median of the inner runs.
  var milliseconds: Double
  var check: Int64
  var peakKilobytes: Int

  /// Runs in this process.
  static func take(_ way: BenchmarkTask.Way, _ files: DataFiles, inner: Int) throws -> Measurement {
    var times: [Double] = []
    var check: Int64 = 0
    for _ in 0..<inner {
      let watch = Stopwatch()
      let outcome = try way.run(files)
      times.append((outcome.seconds ?? watch.seconds) * 1000)
      check = outcome.check
    }
    return Measurement(
      milliseconds: median(times), check: check, peakKilobytes: try FederatedBenchmarks.peakKilobytes())
  }

  /// Runs in a process of its own, for a clean peak of memory.
  static func spawn(
    _ task: BenchmarkTask, _ way: BenchmarkTask.Way, _ files: DataFiles, options: BenchmarkOptions, inner: Int
  ) throws -> Measurement {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--run", task.name, way.name, "--customers", String(files.customerCount),
      "--records", String(files.recordCount), "--folder", options.folder.filePath, "--inner", String(inner),
    ]
    if options.countsProcessorTime { process.arguments?.append("--processor-time") }
    let pipe = Pipe()
    process.standardOutput = pipe
    let watch = Stopwatch(ofAll: true)
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let seconds = watch.seconds
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("\(task.name) \(way.name) ended with \(process.terminationStatus)")
    }
    var measurement = try JSONDecoder().decode(Measurement.self, from: output)
    if task.isWholeProcess { measurement.milliseconds = seconds * 1000 }
    return measurement
  }
}
