import Foundation

extension BenchmarkTask {
  /// The XML file is loaded, every hundredth customer changed, and the file written anew.
  static let rewriting = BenchmarkTask(
    name: "T5", title: "load XML, change 1 %, save",
    ways: [
      Way(raw) { files in
        let output = try files.output("xml")
        defer { removeQuietly(output) }
        try FileManager.default.copyItem(at: files.customers, to: output)
        let watch = Stopwatch()
        do {
          let customers = try RawCustomersFile(output)
          for index in stride(from: 0, to: customers.count, by: 100) {
            customers.customers[index].credit += 1
          }
          let beside = output.appendingPathExtension("new")
          try customers.write(to: beside)
          guard rename(beside.filePath, output.filePath) == 0 else { throw BenchmarkError("no rename") }
        }
        let seconds = watch.seconds
        return Outcome(check: try RawCustomersFile(output).check, seconds: seconds)
      }
    ])
}
