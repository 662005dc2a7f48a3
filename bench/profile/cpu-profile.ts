/** CPU profiles of several processes over the same time, taken by V8 in each of them. */
import { evaluateIn } from './inspect-process.ts';

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
  readonly children?: readonly number[];
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

const SAMPLE_US = 500;

const BEGIN = `new Promise((resolve, reject) => {
  const session = new inspector.Session();
  session.connect();
  globalThis.benchProfile = session;
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: ${SAMPLE_US} });
  session.post('Profiler.start', (error) => (error ? reject(error) : resolve(0)));
})`;

const END = `new Promise((resolve, reject) => {
  const session = globalThis.benchProfile;
  delete globalThis.benchProfile;
  session.post('Profiler.stop', (error, answer) => {
    session.disconnect();
    if (error) reject(error);
    else resolve(JSON.stringify(answer.profile));
  });
})`;

/** Profiles of the processes, by name, while `body` runs. */
export async function profiled(
  pids: ReadonlyMap<string, number>,
  body: () => Promise<void>,
): Promise<ReadonlyMap<string, CpuProfile>> {
  for (const pid of pids.values()) await evaluateIn(pid, BEGIN);
  await body();
  const profiles = new Map<string, CpuProfile>();
  for (const [name, pid] of pids)
    profiles.set(name, JSON.parse(String(await evaluateIn(pid, END))) as CpuProfile);
  return profiles;
}
