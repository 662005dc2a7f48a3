/**
 * Disks of a real guest beside a QEMU with the same command line run by hand, on files and devices of the same file
 * system, in one run; and how long plugging a disk takes. The guest's own busybox reads and writes (dd, O_DIRECT).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resources } from '@podvisor/kube';
import { eventually } from '../../test/support/eventually.ts';
import { Instance, root } from '../../test/support/instance.ts';
import { startBareGuest } from '../network/bare-guest.ts';
import { compareInTurn, type Compared } from '../network/compare.ts';
import { AMOUNTS, DISKS, diskVm } from './disk-vm.ts';
import { benchPlugging, makeClaim } from './plugging.ts';

const SIZE = '272Mi';
const SIZE_BYTES = 272 * 1024 * 1024;
const BOOT_MS = 300_000;

export async function benchStorage(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '5' } } });
  const rounds = Number(values.rounds);
  const instance = await Instance.prepare();
  // Beside the volumes of the instance: the same file system.
  const directory = mkdtempSync('/var/tmp/podvisor-bench-disks-');
  const file = join(directory, 'file.img');
  const behind = join(directory, 'device.img');
  execFileSync('truncate', ['--size', String(SIZE_BYTES), file, behind]);
  const device = execFileSync('losetup', ['--find', '--show', '--direct-io=on', behind], {
    encoding: 'utf8',
  }).trim();
  try {
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout + stderr);
    const { client } = instance;
    await client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await makeClaim(client, 'file', 'Filesystem', SIZE);
    await makeClaim(client, 'device', 'Block', SIZE);
    const name = `disks-${process.pid}`;
    await client.create(resources.virtualMachines, diskVm(name));
    const address = await eventually('the guest answers', BOOT_MS, async () => {
      const vmi = await client.find(resources.virtualMachineInstances, { namespace: 'default', name });
      const found = vmi?.status?.interfaces?.[0]?.ipAddress;
      return found !== undefined && (await answers(found)) ? found : undefined;
    });
    {
      await using bare = await startBareGuest(instance.name, name, {
        vm: (networkData) => diskVm('bare', networkData),
        diskOf: (path) =>
          path.startsWith('/dev/') ? device : path.includes('/vmi-disks/') ? file : undefined,
      });
      await eventually('the guest by hand answers', BOOT_MS, async () => {
        assert.equal(bare.words(), '');
        return (await answers(bare.guest)) || undefined;
      });
      // The first round pays for blocks that are not allocated and code that is not translated yet.
      for (const guest of [address, bare.guest]) await measure(guest);
      const compared = await compareInTurn(
        { name: 'by hand', measure: () => measure(bare.guest) },
        [{ name: 'podvisor', measure: () => measure(address) }],
        rounds,
      );
      console.log(`disks of a guest, median of ${rounds} rounds and of their ratios (bar: 0.95):`);
      for (const one of compared) console.log(line(one));
    }
    await benchPlugging(client, name, rounds);
  } finally {
    await instance.purge();
    execFileSync('losetup', ['--detach', device]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** MiB a second of large transfers, small ones a second. */
async function measure(guest: string): Promise<Readonly<Record<string, number>>> {
  const figures: Record<string, number> = {};
  for (const [kind, disk] of Object.entries(DISKS))
    for (const [verb, label, blocks] of [
      ['write', 'write MiB/s', 256],
      ['read', 'read MiB/s', 256],
      ['put', '4 KiB writes/s', AMOUNTS.put],
      ['get', '4 KiB reads/s', AMOUNTS.get],
    ] as const) {
      const words = await ask(guest, `${verb}=${disk}`, BOOT_MS);
      assert.match(words, new RegExp(`${blocks}\\+0 records out`));
      const [, from, to] = /took ([\d.]+) ([\d.]+)/.exec(words) ?? [];
      figures[`${kind}, ${label}`] = AMOUNTS[verb] / (Number(to) - Number(from));
    }
  return figures;
}

function line({ name, figure, value, ratio, lowest, highest }: Compared): string {
  const spread = `${lowest.toFixed(2)}–${highest.toFixed(2)}`;
  return `  ${name.padEnd(9)} ${figure.padEnd(24)} ${value.toFixed(1).padStart(8)} = ${ratio.toFixed(2)} × (${spread})`;
}

async function answers(address: string): Promise<boolean> {
  return (await ask(address, 'none', 5_000).catch(() => undefined)) !== undefined;
}

async function ask(address: string, what: string, timeoutMs: number): Promise<string> {
  const response = await fetch(`http://${address}/cgi-bin/disk?${what}`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  assert.equal(response.status, 200);
  return response.text();
}
