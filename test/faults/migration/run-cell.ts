/** Runs one cell of the table: begins a migration, waits for the phase, does the harm, and looks at what came of it. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinalMigrationPhase, type MigrationPolicySpec, type MigrationState } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { clearNodeFault, ipBatch, readInstanceConfig, setNodeFault } from '@podvisor/sys';
import { eventually } from '../../support/eventually.ts';
import { podProcess } from '../../support/pod-processes.ts';
import type { Cell, Fault, Phase } from './table.ts';
import type { World } from './world.ts';

/** Every run must have settled in this time, by the promise; a busy test machine gets more. */
const SETTLE_MS = 60_000 * Number(process.env['PODVISOR_TEST_PATIENCE'] ?? 2);
const PHASE_MS = 180_000;
const BOOT_MS = 300_000;
const LOOK_MS = 15;
/** How long a cable stays unplugged: longer than the two ends need to notice. */
const CUT_MS = 20_000;

/** Slow enough to be caught in the act. */
const POST_COPY = { bandwidthPerMigration: '8Mi', allowPostCopy: true, completionTimeoutPerGiB: 2 };
const SETTINGS: Readonly<Partial<Record<Phase, Omit<MigrationPolicySpec, 'selectors'>>>> = {
  copying: { bandwidthPerMigration: '8Mi' },
  'to post-copy': POST_COPY,
  'post-copy': POST_COPY,
};

export interface CellResult {
  readonly settledMs: number;
  readonly result: 'source' | 'target' | 'restarted';
  readonly phase: string;
  readonly silenceMs: number;
}

export async function runCell(world: World, cell: Cell): Promise<CellResult> {
  await world.setPolicy(SETTINGS[cell.phase] ?? { bandwidthPerMigration: '24Mi' });
  const before = await world.vmi();
  assert.equal(before?.status?.phase, 'Running');
  const boot = world.reports.last?.boot ?? '';
  const startedMs = Date.now();
  const name = await world.migrate();
  const state = await reach(world, name, cell.phase);
  const source = state?.sourceNode ?? before.status.nodeName ?? '';
  await harm(world, name, cell.fault, { ...state, sourceNode: source });
  const harmedMs = Date.now();
  if (cell.fault.startsWith('cut')) {
    await delay(CUT_MS);
    const node = cell.fault === 'cut source' ? source : (state?.targetNode ?? '');
    await setCable(world, node, 'up');
  }
  const freeMs = Date.now();
  const phase = await eventually(`${cell.phase}/${cell.fault}: the migration ends`, SETTLE_MS, async () => {
    const found = await world.migration(name);
    if (found === undefined) return 'gone';
    return isFinalMigrationPhase(found.status?.phase) ? found.status?.phase : undefined;
  });
  const vmi = await eventually(`${cell.phase}/${cell.fault}: one guest runs`, SETTLE_MS, async () => {
    const [found, qemus] = await Promise.all([world.vmi(), world.qemus()]);
    return found?.status?.phase === 'Running' && qemus.length === 1 ? found : undefined;
  });
  const settledMs = Date.now() - freeMs;
  // A guest that was started anew has to boot first.
  await world.reporting(Date.now(), BOOT_MS);
  assert.deepEqual(world.reports.contradictions(), [], 'two guests reported at once');
  const now = world.reports.last?.boot;
  const isRestarted = now !== boot;
  assert.ok(
    !isRestarted || cell.outcome === 'may-restart',
    `${cell.phase}/${cell.fault}: the guest was lost`,
  );
  if (!isRestarted) {
    assert.equal(vmi.metadata?.uid, before.metadata?.uid);
    const acknowledged = world.reports.since(startedMs).filter((report) => report.boot === boot);
    const stored = await world.onDisk(boot);
    const missing = acknowledged.filter(({ entry }) => !stored.has(entry));
    assert.deepEqual(missing, [], 'entries that the guest had reported are not on its disk');
  }
  return {
    settledMs,
    result: isRestarted ? 'restarted' : vmi.status?.nodeName === source ? 'source' : 'target',
    phase: phase ?? '',
    silenceMs: world.reports.longestSilence(harmedMs, Date.now()),
  };
}

/** Waits for the moment. Answers what the VMI said of the migration then. */
export async function reach(world: World, name: string, phase: Phase): Promise<MigrationState | undefined> {
  const until = async (isThere: (state: MigrationState) => boolean): Promise<MigrationState> => {
    const deadline = Date.now() + PHASE_MS;
    for (;;) {
      const state = (await world.vmi())?.status?.migrationState;
      const uid = (await world.migration(name))?.metadata?.uid;
      if (state !== undefined && state.migrationUid === uid && isThere(state)) return state;
      assert.ok(Date.now() < deadline, `the migration did not reach ${phase}: ${JSON.stringify(state)}`);
      await delay(LOOK_MS);
    }
  };
  const saidBySource = async (state: MigrationState, words: string): Promise<void> => {
    const pod = await world.pod(state.sourcePod);
    assert.ok(pod);
    const deadline = Date.now() + PHASE_MS;
    const isSaid = (): boolean =>
      world
        .log(pod)
        .split('\n')
        .some((line) => line.includes(words) && line.includes(state.migrationUid ?? '?'));
    while (!isSaid()) {
      assert.ok(Date.now() < deadline, `the source never said "${words}"`);
      await delay(2);
    }
  };
  switch (phase) {
    case 'before':
      return undefined;
    case 'preparing':
      return until(({ targetPod }) => targetPod !== undefined);
    case 'copying': {
      const state = await until(({ startTimestamp }) => startTimestamp !== undefined);
      await delay(1_500);
      return state;
    }
    case 'switch-over': {
      const state = await until(({ startTimestamp }) => startTimestamp !== undefined);
      await saidBySource(state, 'all of the guest is on the target');
      return state;
    }
    case 'to post-copy':
      return until(({ mode, completed }) => mode === 'PostCopy' || completed === true);
    case 'post-copy':
      return until(
        ({ mode, completed, targetNodeDomainDetected }) =>
          (mode === 'PostCopy' && targetNodeDomainDetected === true) || completed === true,
      );
    case 'finalising':
      return until(({ completed }) => completed === true);
  }
}

export async function harm(world: World, name: string, fault: Fault, state: MigrationState): Promise<void> {
  const kill = (pid: number): void => void process.kill(pid, 'SIGKILL');
  const inPod = async (side: 'source' | 'target', pattern: RegExp): Promise<void> => {
    const podName =
      side === 'target' ? state.targetPod : (state.sourcePod ?? (await world.runningPod())?.metadata.name);
    const uid = (await world.pod(podName))?.metadata.uid ?? '';
    try {
      kill(podProcess(uid, pattern).pid);
    } catch {
      // It has ended by itself in the moment between: nothing is left to harm, and all must be well.
    }
  };
  const side = fault.startsWith('target') || fault === 'cut target' ? 'target' : 'source';
  const node = (side === 'target' ? state.targetNode : state.sourceNode) ?? '';
  switch (fault) {
    case 'source launcher':
    case 'target launcher':
      return inPod(side, /virt-launcher\.mjs/);
    case 'source libvirtd':
    case 'target libvirtd':
      return inPod(side, /^\/usr\/sbin\/libvirtd/);
    case 'source QEMU':
    case 'target QEMU':
      return inPod(side, /qemu-system/);
    case 'source virt-handler':
    case 'target virt-handler':
      return kill(await world.instance.pidOf(`virt-handler-${node}`));
    case 'virt-controller':
      return kill(await world.instance.pidOf('virt-controller'));
    case 'cut source':
    case 'cut target':
      return setCable(world, node, 'down');
    case 'cancel':
      await world.client.delete(resources.virtualMachineInstanceMigrations, {
        namespace: 'default',
        name,
      });
  }
}

/** As `podvisor node cut` and `heal` do, without the time that a command takes to start. */
async function setCable(world: World, node: string, state: 'up' | 'down'): Promise<void> {
  const link = readInstanceConfig(world.instance.home).nodes.find(({ name }) => name === node)?.link;
  assert.ok(link, `${node} has no cable`);
  if (state === 'down') setNodeFault(world.paths, node, 'cut');
  await ipBatch(undefined, [`link set ${link} ${state}`]);
  if (state === 'up') clearNodeFault(world.paths, node);
}
