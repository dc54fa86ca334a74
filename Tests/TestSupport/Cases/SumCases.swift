internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// Sums of the same numbers, taken in different ways and orders.
public enum SumCases {
  public static let all: [StackCase<LanguageStack>] = [
    StackCase("@sum over a to-many is the sum of the group of the inverse, bit for bit, and so are its kin") {
      (stack: LanguageStack) throws in
      let context = stack.makeContext()
      // Large and small numbers of both signs: their sum depends on the order in which rounded ones are added.
      let numbers = (0..<60).map { _ in
        Double.random(in: -1...1) * Double(sign: .plus, exponent: .random(in: -20...60), significand: 1)
      }
      let samples = ["a", "b", "c"].enumerated().map { number, label in
        Sample(label, parts: numbers.dropFirst(number * 20).prefix(20).map { ["v": $0] })
      }
      try stack.fill(samples, in: context)
      try context.save()
      var grouped = FetchRequest("Part")
      grouped.propertiesToFetch = try [
        "sample.label", SumCases.column("sum", "sum(v)"), SumCases.column("average", "average(v)"),
        SumCases.column("deviation", "stddev(v)"),
      ]
      grouped.propertiesToGroupBy = ["sample.label"]
      var plain = FetchRequest("Sample", order: [.ascending("label")])
      plain.propertiesToFetch = try [
        "label", SumCases.column("sum", "parts.@sum.v"), SumCases.column("average", "parts.@avg.v"),
        SumCases.column("deviation", "stddev(parts.v)"),
      ]
      let groups = try context.dictionaries(for: grouped)
      let lines = try context.dictionaries(for: plain)
      #expect(groups.count == 3)
      for (group, line) in zip(groups, lines) {
        #expect(group["sample.label"] == line["label"])
        for name in ["sum", "average", "deviation"] {
          let value = try #require(group[name])
          #expect(value == line[name], "\(name) of \(numbers)")
          let same = try FetchPredicate(format: "%K == %@", "label", group["sample.label"] ?? .null)
          let expression = [
            "sum": "parts.@sum.v", "average": "parts.@avg.v", "deviation": "stddev(parts.v)",
          ][name]
          let found = try FetchPredicate(format: "\(expression ?? "") == %@", value)
          #expect(
            try stack.labels(found, in: stack.makeContext()) == stack.labels(same, in: context), "\(numbers)")
        }
      }
    }
  ]

  private static func column(_ name: String, _ format: String) throws -> FetchColumn {
    .expression(try ExpressionDescription(name, format))
  }
}
