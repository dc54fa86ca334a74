/// The numbers that give members of a list their order: increasing, with gaps for what comes between.
enum OrderNumbers {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// Numbers for a list, given what its members have now. As few as possible change; when a gap is used up,
  /// the whole list is numbered anew.
  static func numbers(for current: [Int64?]) -> [Int64] {
    let kept = self.longestIncreasing(current)
    var numbers = current
    for index in current.indices where !kept.contains(index) { numbers[index] = nil }
    var index = 0
    while index < numbers.count {
      if numbers[index] != nil {
        index += 1
        continue
      }
      var end = index
      while end < numbers.count, numbers[end] == nil { end += 1 }
      let gap = Int64(end - index)
      let before = index > 0 ? numbers[index - 1] : nil
      let after = end < numbers.count ? numbers[end] : nil
      guard let run = self.between(before, after, count: gap) else { return self.fresh(current.count) }
      for (offset, number) in run.enumerated() { numbers[index + offset] = number }
      index = end
    }
    return numbers.map { $0! }
  }

  private static func fresh(_ count: Int) -> [Int64] {
    (0..<count).map { self.first + Int64($0) * self.step }
  }

  private static func between(_ before: Int64?, _ after: Int64?, count: Int64) -> [Int64]? {
    switch (before, after) {
    case (nil, nil): return self.fresh(Int(count))
    case (let before?, nil):
      guard before < .max - (count + 1) * self.step else { return nil }
      return (1...count).map { before + $0 * self.step }
    case (let before, let after?):
      let low = before ?? 0
      guard after - low > count else { return nil }
      let step = (after - low) / (count + 1)
      return step > 0 ? (1...count).map { low + $0 * step } : nil
    }
  }

  /// The places of a longest run of numbers that increase already.
  private static func longestIncreasing(_ values: [Int64?]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      guard let value, value > 0 else { continue }
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]]! < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var kept: Set<Int> = []
    var place = tails.last ?? -1
    while place >= 0 {
      kept.insert(place)
      place = previous[place]
    }
    return kept
  }
}
