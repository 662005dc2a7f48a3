/**
 * Whether what is done with N entries costs about a quarter of what is done with 4N. Judged is the CPU of this process,
 * which others on the machine do not change, the least of several tries: what grows with the square takes sixteen times
 * as much.
 */

/** What so few milliseconds do harms nobody, and is too little to judge by. */
const HARMLESS_MS = 120;
/** Four would be linear; collections of garbage and sorting come on top. */
const MOST_GROWTH = 9;
const TRIES = 3;

export type Work = (count: number) => Promise<unknown>;

/** A sentence when the cost grows with more than the size; undefined when it does not. */
export async function growthProblem(
  work: Work,
  large: number,
  harmlessMs = HARMLESS_MS,
): Promise<string | undefined> {
  let most = await cpuMs(work, large);
  if (most < harmlessMs) return undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i += 1) {
    least = Math.min(least, await cpuMs(work, large / 4));
    most = Math.min(most, await cpuMs(work, large));
    if (most < harmlessMs || most < least * MOST_GROWTH) return undefined;
  }
  return `${large} entries take ${Math.round(most)} ms of CPU, ${large / 4} take ${Math.round(least)}`;
}

async function cpuMs(work: Work, count: number): Promise<number> {
  const before = process.cpuUsage();
  await work(count);
  const { system, user } = process.cpuUsage(before);
  return (user + system) / 1000;
}
