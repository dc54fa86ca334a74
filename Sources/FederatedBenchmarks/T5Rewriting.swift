import FederatedData
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
      },
      Way("objects") { files in
        let output = try files.output("xml")
        defer { removeQuietly(output) }
        try FileManager.default.copyItem(at: files.customers, to: output)
        let watch = Stopwatch()
        try Self.rewrite(files, at: output)
        let seconds = watch.seconds
        return Outcome(check: try RawCustomersFile(output).check, seconds: seconds)
      },
    ])

  private static func rewrite(_ files: DataFiles, at output: URL) throws {
    let shop = try Shop(ShopModel.customers(files, at: output))
    let customers = try shop.context.fetch(Fetch(Customer.self))
    for index in stride(from: 0, to: customers.count, by: 100) { customers[index].creditLimit += 1 }
    try shop.context.save()
    for store in shop.coordinator.stores { try shop.coordinator.remove(store) }
  }
}
