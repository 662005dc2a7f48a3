/** The yardstick of the bindings: a QEMU by hand, whose TAP is a port of a bridge of this machine. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findContainerDisk, diskPaths, prepareCloudInit } from '@podvisor/storage';
import { run, startProcess } from '@podvisor/sys';
import { networkVm } from '../../test/support/network-vm.ts';

const MACHINE = '192.168.231.1';
const GUEST = '192.168.231.2';

export interface BareGuest extends AsyncDisposable {
  readonly guest: string;
  readonly machine: string;
}

/** With the hello image of `home` and the CPU of the guest `like`, a VM that runs there. */
export async function startBareGuest(home: string, like: string): Promise<BareGuest> {
  const directory = mkdtempSync('/var/tmp/podvisor-bench-');
  const [bridge, tap] = [`pvbb${process.pid}`, `pvbt${process.pid}`];
  const remove = async (): Promise<void> => {
    for (const link of [tap, bridge]) await run('ip', ['link', 'del', link], { okCodes: [0, 1] });
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
    await run('ip', ['addr', 'add', `${MACHINE}/24`, 'dev', bridge]);
    await run('ip', ['tuntap', 'add', 'dev', tap, 'mode', 'tap', 'vnet_hdr']);
    await run('ip', ['link', 'set', tap, 'master', bridge, 'up']);
    await run('ip', ['link', 'set', bridge, 'up']);
    const drives = [
      `file=${imageOf(home)},format=qcow2,snapshot=on`,
      `file=${await seed(directory)},format=raw`,
    ];
    const { machine, accel, cpu, memory } = settingsOf(like);
    const qemu = await startProcess('qemu-system-x86_64', [
      ...['-machine', machine, '-accel', accel, '-cpu', cpu, '-m', memory],
      ...['-nodefaults', '-display', 'none', '-no-user-config'],
      ...drives.flatMap((drive) => ['-drive', `${drive},if=virtio`]),
      ...['-netdev', `tap,id=n,ifname=${tap},script=no,downscript=no`],
      ...['-device', 'virtio-net-pci,netdev=n,disable-legacy=on,romfile='],
      ...['-device', 'virtio-rng-pci'],
    ]);
    return {
      guest: GUEST,
      machine: MACHINE,
      [Symbol.asyncDispose]: async () => {
        qemu.kill('SIGKILL');
        await qemu.exited;
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The same first-boot commands as the other guests have, and an address without DHCP. */
async function seed(directory: string): Promise<string> {
  const networkData = [
    'version: 2',
    'ethernets:',
    '  eth0:',
    '    addresses:',
    `      - ${GUEST}/24`,
    `    gateway4: ${MACHINE}`,
    '',
  ].join('\n');
  const { metadata, spec } = networkVm('bare', [], [], networkData);
  const paths = diskPaths({ ephemeralDisks: directory, privateDir: directory });
  const vmi = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata,
    spec: spec.template.spec ?? { domain: { devices: {} } },
  } as const;
  await prepareCloudInit(vmi, paths, new AbortController().signal);
  return paths.noCloudIso('default', 'bare');
}

function imageOf(home: string): string {
  const layers = join(home, 'images/layers');
  const layer = readdirSync(layers)[0];
  if (layer === undefined) throw new Error(`no image in ${layers}`);
  return findContainerDisk(join(layers, layer, 'files'));
}

/** What libvirt told the QEMU of the VM `name`. */
function settingsOf(name: string): Readonly<Record<'machine' | 'accel' | 'cpu' | 'memory', string>> {
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const words = commandLine(pid);
    if (!words.some((word) => word.startsWith(`guest=default_${name},`))) continue;
    const after = (flag: string): string => words[words.indexOf(flag) + 1] ?? '';
    const machine = after('-machine').replace(/,memory-backend=[^,]*/, '');
    return { machine, accel: after('-accel'), cpu: after('-cpu'), memory: after('-m').replace(/^size=/, '') };
  }
  throw new Error(`no QEMU runs the VM ${name}`);
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}
