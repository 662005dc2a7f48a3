/**
 * How fast a disk moves to another claim while its guest runs, beside `qemu-img convert` of the same disk between two
 * files of the same file system, in turns in one run. The guest boots nothing, so that only the copy counts.
 */
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { chownSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  isFinalMigrationPhase,
  labels,
  MIGRATION_REPORT_ANNOTATION,
  type MigrationReport,
  type VirtualMachine,
} from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { eventually } from '../../test/support/eventually.ts';
import { Instance } from '../../test/support/instance.ts';

const MIB = 1024 * 1024;
const DISK_MIB = 512;
const QEMU_UID = 107;
const KEY = { namespace: 'default', name: 'mover' };

export async function benchMoving(runs: number): Promise<void> {
  const instance = await Instance.prepare();
  try {
    const { code, stdout, stderr } = await instance.up('--nodes', '2');
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const { client } = instance;
    const first = await makeClaim(client, 'claim-0');
    fill(first);
    await client.create(resources.virtualMachines, vmOn('claim-0'));
    await eventually('the guest runs', 120_000, async () =>
      (await client.find(resources.virtualMachineInstances, KEY))?.status?.phase === 'Running'
        ? true
        : undefined,
    );
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 1; i <= runs; i += 1) {
      theirs.push(byHand(first, join(instance.home, 'by-hand.img')));
      await makeClaim(client, `claim-${i}`);
      ours.push(await moveTo(client, `claim-${i}`));
    }
    const [mine, other] = [median(ours), median(theirs)];
    const rate = (ms: number): string => `${(DISK_MIB / (ms / 1000)).toFixed(0)} MiB/s`;
    console.log(
      `${DISK_MIB} MiB to another claim, guest running: ${mine.toFixed(0)} ms (${rate(mine)}, memory and switch-over included) = ${(mine / other).toFixed(2)} × qemu-img convert (${other.toFixed(0)} ms, ${rate(other)})`,
    );
  } finally {
    await instance.purge();
  }
}

function vmOn(claimName: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: KEY,
    spec: {
      runStrategy: 'Always',
      updateVolumesStrategy: 'Migration',
      template: {
        spec: {
          terminationGracePeriodSeconds: 0,
          domain: {
            memory: { guest: '64Mi' },
            devices: {
              disks: [{ name: 'data', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
        },
      },
    },
  };
}

/** Answers the path of its image. */
async function makeClaim(client: KubeClient, name: string): Promise<string> {
  await client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...KEY, name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: `${DISK_MIB}Mi` } } },
  });
  const bound = await eventually(`${name} is bound`, 60_000, async () => {
    const claim = await client.get(resources.persistentVolumeClaims, { ...KEY, name });
    return claim.status?.phase === 'Bound' ? claim.spec.volumeName : undefined;
  });
  const volume = await client.get(resources.persistentVolumes, { name: bound });
  return join(volume.spec.local?.path ?? '', 'disk.img');
}

function fill(image: string): void {
  const chunk = Buffer.alloc(MIB);
  const fd = openSync(image, 'w', 0o660);
  for (let i = 0; i < DISK_MIB; i += 1) writeSync(fd, randomFillSync(chunk));
  closeSync(fd);
  chownSync(image, QEMU_UID, QEMU_UID);
}

/** Past the page cache, as QEMU writes a guest's disk. */
function byHand(from: string, to: string): number {
  const startedMs = performance.now();
  execFileSync('qemu-img', ['convert', '-U', '-T', 'none', '-t', 'none', '-f', 'raw', '-O', 'raw', from, to]);
  const tookMs = performance.now() - startedMs;
  rmSync(to);
  return tookMs;
}

async function moveTo(client: KubeClient, claimName: string): Promise<number> {
  const path = '/spec/template/spec/volumes/0/persistentVolumeClaim/claimName';
  const body = [{ op: 'replace', path, value: claimName }] as const;
  const select = { namespace: 'default', labelSelector: labels.volumesUpdateMigration };
  const migrations = async () =>
    (await client.list(resources.virtualMachineInstanceMigrations, select)).items;
  const known = new Set((await migrations()).map(({ metadata }) => metadata?.name));
  await client.patch(resources.virtualMachines, KEY, { type: 'json', body });
  const report = await eventually('the disk has moved', 300_000, async () => {
    const made = (await migrations()).find(({ metadata }) => !known.has(metadata?.name));
    if (made?.status?.phase === 'Failed') throw new Error(made.status.migrationState?.failureReason);
    const text = made?.metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION];
    return isFinalMigrationPhase(made?.status?.phase) ? text : undefined;
  });
  const { totalMs }: MigrationReport = JSON.parse(report);
  return totalMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
