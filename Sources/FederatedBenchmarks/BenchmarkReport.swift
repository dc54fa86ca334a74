import Foundation

/// Runs rounds of tasks and prints the table of one size.
struct BenchmarkReport {
  let options: BenchmarkOptions
  let files: DataFiles

  func run() throws {
    try DataGenerator.make(self.files)
    print(
      "\nN = \(self.files.customerCount) customers, \(self.files.invoiceCount) invoices; \(self.options.rounds) rounds\n"
    )
    print(Self.line("task", "way", "ms", "raw ms", "× raw", "spread", "MB", "raw MB"))
    for task in BenchmarkTask.all where self.options.tasks.isEmpty || self.options.tasks.contains(task.name) {
      try self.run(task)
    }
  }

  private func run(_ task: BenchmarkTask) throws {
    var rounds: [[Measurement]] = []
    for _ in 0..<self.options.rounds {
      rounds.append(
        try task.ways.map { way in
          try Measurement.spawn(
            task, way, self.files, options: self.options, inner: task.isWholeProcess ? 1 : self.inner)
        })
    }
    for (number, way) in task.ways.enumerated().dropFirst() {
      let ratios = rounds.map { $0[number].milliseconds / $0[0].milliseconds }
      print(
        Self.line(
          task.name, way.name, Self.text(median(rounds.map { $0[number].milliseconds })),
          Self.text(median(rounds.map { $0[0].milliseconds })), Self.text(median(ratios)),
          "\(Self.text(ratios.min() ?? 0))–\(Self.text(ratios.max() ?? 0))",
          Self.megabytes(rounds.map { $0[number] }), Self.megabytes(rounds.map { $0[0] })))
      if let wrong = rounds.first(where: { $0[number].check != $0[0].check }) {
        throw BenchmarkError(
          "\(task.name) \(way.name): its checksum \(wrong[number].check) differs from the raw \(wrong[0].check)"
        )
      }
    }
  }

  private var inner: Int { self.options.innerRuns(self.files.customerCount) }

  private static func megabytes(_ measurements: [Measurement]) -> String {
    String((measurements.map(\.peakKilobytes).max() ?? 0) / 1024)
  }

  private static func text(_ number: Double) -> String {
    number < 10
      ? String(format: "%.2f", number) : number < 100 ? String(format: "%.1f", number) : String(Int(number))
  }

  private static func line(_ cells: String...) -> String {
    let widths = [5, 26, 9, 9, 7, 13, 6, 7]
    return zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column < 2 ? cell.0 + padding : padding + cell.0
    }.joined(separator: " ")
  }
}
