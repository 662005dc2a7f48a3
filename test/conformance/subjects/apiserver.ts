/**
 * Recorded conversations with a Kubernetes API server, replayed by the script that comes with the recordings against
 * a fresh server: no nodes, and of the controllers only those that the recording had. The script sends the requests
 * and reads each scenario whole; nothing of it is ours.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jsonLines } from '../records.ts';
import { type Checker, type Recordings, subject } from '../subject.ts';
import { type AdminAccess, startPrivateServer } from './private-server.ts';

interface Step {
  readonly request: { readonly method: string; readonly path: string };
}
interface Scenario {
  readonly id: string;
  readonly steps: readonly Step[];
}
interface StepDifference {
  readonly path?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** What the replay script exports. */
interface Replay {
  readonly Client: new (access: AdminAccess) => { readonly agent: Destroyable; readonly anon: Destroyable };
  readonly HookServer: new () => { start(): Promise<void>; close(): void };
  runScenario(scenario: Scenario, client: object, hooks: object): Promise<Observed>;
  compareStep(step: Step, observed: unknown): readonly StepDifference[];
}
interface Observed {
  readonly steps: readonly unknown[];
  readonly fatal: string | null;
}
interface Destroyable {
  destroy(): void;
}

const SCRIPT = 'apiserver-replay.mjs';

export const apiserver = subject<Scenario, undefined, readonly string[]>(
  'API server',
  /^apiserver\/[^/]+\.jsonl$/,
  open,
);

async function open({ directory }: Recordings): Promise<Checker<Scenario, undefined, readonly string[]>> {
  const found = join(directory, SCRIPT);
  if (!existsSync(found)) throw new Error(`${SCRIPT} is not beside the recordings in ${directory}`);
  // The tool runs only under its real path.
  const script = realpathSync(found);
  const replay: Replay = await import(pathToFileURL(script).href);
  const server = await startPrivateServer();
  const client = new replay.Client(server.admin);
  const hooks = new replay.HookServer();
  await hooks.start();
  return {
    load: (text) =>
      jsonLines<Scenario>(text).map((scenario) => ({
        id: scenario.id,
        input: scenario,
        expected: undefined,
      })),
    concurrency: 8,
    answer: async (scenario) => {
      const { steps, fatal } = await replay.runScenario(scenario, client, hooks);
      const lines = scenario.steps.flatMap((step, i) =>
        replay.compareStep(step, steps[i]).map((difference) => line(step, i, difference)),
      );
      return lines.length === 0 && fatal !== null ? [fatal] : lines;
    },
    compare: (_expected, lines) => lines,
    close: async () => {
      hooks.close();
      client.agent.destroy();
      client.anon.destroy();
      await server.close();
    },
  };
}

function line({ request }: Step, index: number, { path, expected, actual }: StepDifference): string {
  const [want, have] = [expected, actual].map((value) => (JSON.stringify(value) ?? 'nothing').slice(0, 300));
  return `step ${index} ${request.method} ${request.path}: ${path || '(answer)'}: expected ${want}, got ${have}`;
}
