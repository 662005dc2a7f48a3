/**
 * Does `once` for each item, begun in order, at most `workers` at a time. After a failure none is begun any more; the
 * first failure is thrown when all that were begun have ended.
 */
export async function forEachOf<T>(
  items: readonly T[],
  workers: number,
  once: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const item of left) {
      await once(item).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (failures.length > 0) throw failures[0];
}
