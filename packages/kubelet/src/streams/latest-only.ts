/**
 * Does a thing once at a time; of what is asked for meanwhile the last is done, and the rest is not. For requests that
 * replace each other and come from a client, who may send any number: each is processes of root's.
 */
export function latestOnly<T>(work: (value: T) => Promise<void>): (value: T) => void {
  let isBusy = false;
  let waiting: { readonly value: T } | undefined;
  const begin = async (first: T): Promise<void> => {
    isBusy = true;
    try {
      await work(first);
      for (let next = waiting; next !== undefined; next = waiting) {
        waiting = undefined;
        await work(next.value);
      }
    } finally {
      isBusy = false;
    }
  };
  return (value) => {
    if (isBusy) waiting = { value };
    else void begin(value);
  };
}
