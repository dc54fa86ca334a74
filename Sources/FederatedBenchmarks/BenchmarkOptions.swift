import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
  var customers = [10_000]
  /// Records of the document that T9 streams; 5,000,000 are 1 GB.
  var records = 100_000
  var tasks: [String] = []
  var rounds = 5
  var inner: Int?
  var countsProcessorTime = false
  /// Whether to count the rows that indexed questions read, in place of measuring.
  var countsIndexedReads = false
  var folder = FileManager.default.temporaryDirectory.appending(
    path: "FederatedBenchmarks", directoryHint: .isDirectory)
  /// Task and way, in the process that measures.
  var run: (task: String, way: String)?

  static let usage = """
    FederatedBenchmarks [--customers N[,N…]] [--records N] [--tasks T1,T2…] [--rounds R] [--inner K]
                        [--folder DIR] [--processor-time] [--indexed-reads]

    Makes N customers (XML) and 10 N invoices (SQLite) under DIR unless they are there, does each task by the
    library and straight on the C libraries in alternation, and prints the medians and their ratio. On a busy
    machine the processor's time says more than the wall clock.

    T9 filters a document of --records entries (100000) while it streams; 5000000 are 1 GB.

    --indexed-reads measures nothing: it explains questions that an index answers, and fails when one of them
    reads or visits a row that it does not return. --customers 100000 asks them of a million invoices.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else {
        throw BenchmarkError("\(option) wants a value\n\n\(Self.usage)")
      }
      return value
    }
    func number(of option: String, _ text: String) throws -> Int {
      guard let number = Int(text), number > 0 else {
        throw BenchmarkError("\(option) wants a positive number, not \(text)\n\n\(Self.usage)")
      }
      return number
    }
    while let option = rest.popFirst() {
      switch option {
      case "--customers":
        self.customers = try value(of: option).split(separator: ",").map {
          try number(of: option, String($0))
        }
      case "--records": self.records = try number(of: option, value(of: option))
      case "--tasks": self.tasks = try value(of: option).split(separator: ",").map(String.init)
      case "--rounds": self.rounds = try number(of: option, value(of: option))
      case "--inner": self.inner = try number(of: option, value(of: option))
      case "--processor-time": self.countsProcessorTime = true
      case "--folder": self.folder = URL(filePath: try value(of: option), directoryHint: .isDirectory)
      case "--indexed-reads": self.countsIndexedReads = true
      case "--run": self.run = (try value(of: option), try value(of: option))
      case "--help":
        print(Self.usage)
        exit(0)
      default: throw BenchmarkError("what is \(option)?\n\n\(Self.usage)")
      }
    }
  }

  func files(_ customers: Int) -> DataFiles {
    DataFiles(customerCount: customers, recordCount: self.records, in: self.folder)
  }

  /// More runs where they are short.
  func innerRuns(_ customers: Int) -> Int {
    self.inner ?? (customers <= 2000 ? 7 : customers <= 20_000 ? 3 : 1)
  }
}
