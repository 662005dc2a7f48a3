/**
 * Other programs, and back, below many guests: `node test/faults/other-programs/main.ts [--guests N]` (200). Every
 * process of the home is replaced twice; every guest keeps its VMI, its Pod and its QEMU, and can be paused afterwards.
 *
 * The guests are real Pods with launcher, libvirtd and QEMU; their virtual CPUs never begin, so that two cores carry
 * hundreds of them (`smallest-vmi.ts`).
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resources } from '@podvisor/kube';
import { eventually } from '../../support/eventually.ts';
import { NAMESPACE, SmallestGuests } from '../../support/guests/smallest-guests.ts';
import { Instance, root } from '../../support/instance.ts';
import { nextPrograms } from '../../support/next-programs.ts';
import { instanceProcesses } from '../../support/traces.ts';

const PROCESSES = ['control-plane', 'node-agent', 'virt-api', 'virt-controller', 'virt-handler-node-1'];

const { values } = parseArgs({ options: { guests: { type: 'string', default: '200' } } });
const count = Number(values.guests);
const directory = mkdtempSync('/var/tmp/pv-next-');
const instance = await Instance.prepare();
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** What must stay: each guest's VMI, the Pod that it is in, its phase; and the QEMUs, by pid. */
async function guestsOf(): Promise<readonly string[]> {
  const { items } = await instance.client.list(resources.virtualMachineInstances, { namespace: NAMESPACE });
  const lines = items.map(({ metadata, status }) =>
    [metadata?.name, metadata?.uid, Object.keys(status?.activePods ?? {}).join('+'), status?.phase].join(' '),
  );
  const qemus = instanceProcesses(instance.home, instance.name)
    .filter(({ command }) => /^\S*qemu-system/.test(command))
    .map(({ pid }) => `QEMU ${pid}`);
  return [...lines, ...qemus].toSorted();
}

const pids = (): Promise<readonly number[]> => Promise.all(PROCESSES.map((name) => instance.pidOf(name)));

try {
  const { code, stdout, stderr } = await instance.up();
  assert.equal(code, 0, stdout + stderr);
  const began = performance.now();
  await using guests = await SmallestGuests.follow(instance.client, true);
  await guests.grow(count);
  console.log(`${count} guests run after ${seconds(began)}`);
  const before = await guestsOf();
  assert.equal(before.filter((line) => line.startsWith('QEMU')).length, count, 'one QEMU a guest');
  const next = nextPrograms(directory);
  for (const from of [next, root]) {
    const [earlier, since] = [await pids(), performance.now()];
    const result = await instance.upFrom(from);
    assert.equal(result.code, 0, result.stdout + result.stderr);
    const later = await pids();
    for (const [i, name] of PROCESSES.entries())
      assert.notEqual(later[i], earlier[i], `${name} was replaced`);
    await eventually('every guest is as it was', 120_000, async () => {
      assert.deepEqual(await guestsOf(), before);
      return true;
    });
    console.log(`all processes replaced, all ${count} guests as they were after ${seconds(since)}`);
  }
  // Whoever runs now has taken them up: a guest obeys.
  const obeyed = await instance.virtctl('unpause', 'vmi', 'guest-0', '-n', NAMESPACE);
  assert.equal(obeyed.code, 0, obeyed.stdout + obeyed.stderr);
  console.log('passed');
} finally {
  await instance.purge(600_000);
  rmSync(directory, { recursive: true, force: true });
}
