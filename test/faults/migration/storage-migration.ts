/**
 * Faults while the disk of a guest is copied to another claim: `node test/faults/migration/storage-migration.ts [--only REGEX]`.
 * In the end every entry that the guest reported is on the claim that the VM names: the old one, to which it was put
 * back, or the new one, to which the next attempt brought it. About a minute for each; test/e2e/storage-migration.test.ts
 * has a short form.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { labels } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../../support/eventually.ts';
import type { Instance } from '../../support/instance.ts';
import { ENTRY_BYTES } from '../../support/guests/journal-vm.ts';
import { harm, reach } from './run-cell.ts';
import type { Fault } from './table.ts';
import { World } from './world.ts';

const KEY = { namespace: 'default', name: 'traveller' };
const CLAIMS = ['journal-file', 'journal-device'] as const;
type Claim = (typeof CLAIMS)[number];
/** What is done to whom while the disk is copied. `ends`: the guest is lost with its source. */
const CELLS: readonly { readonly fault: Fault; readonly ends: boolean }[] = [
  { fault: 'target launcher', ends: false },
  { fault: 'target QEMU', ends: false },
  { fault: 'target libvirtd', ends: false },
  { fault: 'target virt-handler', ends: false },
  { fault: 'source virt-handler', ends: false },
  { fault: 'virt-controller', ends: false },
  { fault: 'cancel', ends: false },
  { fault: 'source launcher', ends: true },
  { fault: 'source QEMU', ends: true },
];
const DISK_MIB = 24;
const SETTLE_MS = 180_000;

async function makeClaims({ client }: Instance): Promise<void> {
  for (const name of CLAIMS)
    await client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...KEY, name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        volumeMode: name === 'journal-device' ? 'Block' : 'Filesystem',
        resources: { requests: { storage: `${DISK_MIB}Mi` } },
      },
    });
}

async function want(world: World, claimName: Claim): Promise<void> {
  const path = '/spec/template/spec/volumes/2/persistentVolumeClaim/claimName';
  const body = [{ op: 'replace', path, value: claimName }] as const;
  await world.client.patch(resources.virtualMachines, KEY, { type: 'json', body });
}

/** The migration that copies the disk, once it is there and new. */
async function movedBy(world: World, known: ReadonlySet<string>): Promise<string> {
  const labelSelector = labels.volumesUpdateMigration;
  return await eventually('a migration that copies the disk', 60_000, async () => {
    const { items } = await world.client.list(resources.virtualMachineInstanceMigrations, {
      namespace: 'default',
      labelSelector,
    });
    return items.map(({ metadata }) => metadata?.name ?? '').find((name) => !known.has(name));
  });
}

async function migrations(world: World): Promise<ReadonlySet<string>> {
  const { items } = await world.client.list(resources.virtualMachineInstanceMigrations, {
    namespace: 'default',
  });
  return new Set(items.map(({ metadata }) => metadata?.name ?? ''));
}

/** Entries of a boot on a claim, as this machine sees them. */
async function onClaim(world: World, name: Claim, boot: string): Promise<ReadonlySet<number>> {
  const claim = await world.client.get(resources.persistentVolumeClaims, { ...KEY, name });
  const key = { name: claim.spec.volumeName ?? '' };
  const path = (await world.client.get(resources.persistentVolumes, key)).spec.local?.path ?? '';
  const disk = readFileSync(path.endsWith('/disk.img') ? path : join(path, 'disk.img'));
  const entries = disk.toString('latin1').match(new RegExp(`${boot} \\d{8}\n`, 'g')) ?? [];
  return new Set(entries.map((entry) => Number(entry.slice(9, ENTRY_BYTES))));
}

async function runMove(world: World, { fault, ends }: (typeof CELLS)[number], from: Claim): Promise<Claim> {
  const to = CLAIMS.find((claim) => claim !== from) ?? from;
  await world.setPolicy({ bandwidthPerMigration: '2Mi' });
  const boot = world.reports.last?.boot ?? '';
  const known = await migrations(world);
  await want(world, to);
  const name = await movedBy(world, known);
  const state = await reach(world, name, 'copying');
  await harm(world, name, fault, state ?? {});
  await world.setPolicy({});
  if (ends) {
    await eventually('the VM asks for its old claim', SETTLE_MS, async () => {
      const { status } = await world.client.get(resources.virtualMachines, KEY);
      return status?.conditions?.some(({ type }) => type === 'ManualRecoveryRequired') ? true : undefined;
    });
    const stored = await onClaim(world, from, boot);
    const missing = world.reports.since(0).filter((r) => r.boot === boot && !stored.has(r.entry));
    assert.deepEqual(missing, [], 'entries that the guest had reported are not on its old claim');
    await want(world, from);
    await world.reporting(Date.now(), 300_000);
    return from;
  }
  await eventually('the disk has moved', SETTLE_MS, async () => {
    const [vmi, qemus] = await Promise.all([world.vmi(), world.qemus()]);
    return vmi?.status?.phase === 'Running' && vmi.status.migratedVolumes === undefined && qemus.length === 1
      ? true
      : undefined;
  });
  await world.reporting(Date.now(), SETTLE_MS);
  assert.equal(world.reports.last?.boot, boot, 'the guest was lost');
  assert.deepEqual(world.reports.contradictions(), [], 'two guests reported at once');
  const acknowledged = world.reports.since(0).filter((report) => report.boot === boot);
  const [inGuest, stored] = [await world.onDisk(boot), await onClaim(world, to, boot)];
  const missing = acknowledged.filter(({ entry }) => !inGuest.has(entry) || !stored.has(entry));
  assert.deepEqual(missing, [], 'entries that the guest had reported are not on its new claim');
  return to;
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
let failures = 0;
{
  await using world = await World.create({ claim: CLAIMS[1] }, makeClaims);
  let at: Claim = CLAIMS[1];
  for (const cell of CELLS.filter(({ fault }) => new RegExp(values.only).test(fault))) {
    const startedMs = Date.now();
    try {
      at = await runMove(world, cell, at);
      const took = ((Date.now() - startedMs) / 1000).toFixed(1);
      console.log(`ok    ${cell.fault.padEnd(20)} ends on ${at.padEnd(14)} ${took} s`);
    } catch (error) {
      failures += 1;
      console.log(`FAIL  ${cell.fault.padEnd(20)} ${error instanceof Error ? error.message : String(error)}`);
      break; // what is left of it would harm the next
    }
  }
  if (world.migrationSockets().length > 0) failures += 1;
}
process.exit(failures === 0 ? 0 : 1);
