/// Objects that have their values and whose ``ManagedObject/awakeFromFetch()`` is due.
///
/// A hook may read other faults, whose hooks read others again. Nested without end that would be one level of the
/// stack for each object, so only so many run inside one another, and the others wait for their turn.
struct Awakening {
  static let deepest = 32
  /// How many hooks run, one inside the other.
  fileprivate var depth = 0
  fileprivate var waiting: [ManagedObject] = []
}

extension ManagedObjectContext {
  /// Calls the hook of an object that was a fault until now.
  func awaken(_ object: ManagedObject) {
    guard self.awakening.depth < Awakening.deepest else {
      object.flags.insert(.waiting)
      self.awakening.waiting.append(object)
      return
    }
    self.call(object)
    guard self.awakening.depth == 0 else { return }
    // What a hook of these reads may wait in turn.
    while !self.awakening.waiting.isEmpty {
      let waiting = self.awakening.waiting
      self.awakening.waiting = []
      for next in waiting where next.flags.contains(.waiting) && next.home.context === self {
        self.call(next)
      }
    }
  }

  private func call(_ object: ManagedObject) {
    self.awakening.depth += 1
    let wasAwaking = object.flags.contains(.awaking)
    object.flags.remove(.waiting)
    object.flags.insert(.awaking)
    object.awakeFromFetch()
    if !wasAwaking { object.flags.remove(.awaking) }
    self.awakening.depth -= 1
  }
}
