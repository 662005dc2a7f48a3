/** Runs tasks one after the other, in the order they came. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => {}); // the caller gets the failure; the next task runs all the same
    return result;
  }
}
