import Foundation

// The measures of the library beside the same work done straight on the C libraries.

do {
  let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
  Stopwatch.countsProcessorTime = options.countsProcessorTime
  if let run = options.run {
    guard let task = BenchmarkTask.all.first(where: { $0.name == run.task }),
      let way = task.ways.first(where: { $0.name == run.way })
    else { throw BenchmarkError("no task \(run.task) \(run.way)") }
    let files = options.files(options.customers[0])
    let measurement = try Measurement.take(way, files, inner: options.inner ?? 1)
    FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
  } else if options.countsIndexedReads {
    for customers in options.customers {
      try IndexedReads.run(options.files(customers))
    }
  } else {
    for customers in options.customers {
      try BenchmarkReport(options: options, files: options.files(customers)).run()
    }
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
