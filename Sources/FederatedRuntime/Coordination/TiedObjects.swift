import FederatedModel

/// Groups of new objects that relationships tie together, directly or through others.
enum TiedObjects {
  /// Numbers of `objects`, in groups; groups and members in the order given.
  static func groups(of objects: [NewObject]) -> [[Int]] {
    var numbers: [ManagedObjectID: Int] = [:]
    numbers.reserveCapacity(objects.count)
    for (number, object) in objects.enumerated() { numbers[object.objectID] = number }
    var leaders = Array(objects.indices)

    func leader(of number: Int) -> Int {
      var current = number
      while leaders[current] != current {
        leaders[current] = leaders[leaders[current]]
        current = leaders[current]
      }
      return current
    }

    for (number, object) in objects.enumerated() {
      for tie in object.ties {
        guard let other = numbers[tie.other] else { continue }
        let left = leader(of: number)
        let right = leader(of: other)
        leaders[max(left, right)] = min(left, right)
      }
    }
    var places: [Int: Int] = [:]
    var groups: [[Int]] = []
    for number in objects.indices {
      let leader = leader(of: number)
      if let place = places[leader] {
        groups[place].append(number)
      } else {
        places[leader] = groups.count
        groups.append([number])
      }
    }
    return groups
  }
}
