internal import Glibc

/// A mutual-exclusion lock over a value.
///
/// A `pthread_mutex_t` on the heap: the thread sanitizer understands it, and it is cheaper than `Mutex`.
package final class Lock<State>: @unchecked Sendable {
  // Sendable because `state` is reached inside `withLock` only, and `State` never leaves it unless it is
  // itself allowed to.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  package init(_ state: sending State) {
    self.mutex = .allocate(capacity: 1)
    self.mutex.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(self.mutex, nil)
    precondition(result == 0, "pthread_mutex_init: \(result)")
    self.state = state
  }

  deinit {
    pthread_mutex_destroy(self.mutex)
    self.mutex.deinitialize(count: 1)
    self.mutex.deallocate()
  }

  /// Runs `body` with the lock held. Not recursive.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(self.mutex)
    defer { pthread_mutex_unlock(self.mutex) }
    return try body(&self.state)
  }
}
