/**
 * The guest's memory into a file of a claim that was plugged into the Pod for it. One dump for each time the claim
 * comes: a sync that finds the directory begins it, and it goes on by itself. Its result is part of the domain's
 * state until the claim goes.
 */
import { isDirectory } from '../disks/is-directory.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DomainMemoryDump, VirtualMachineInstance } from '@podvisor/api';
import { messageOf, rfc3339 } from '@podvisor/base';
import type { DomainRef } from '@podvisor/libvirt';
import type { DomainContext } from './context.ts';

const SUFFIX = '.memory.dump';

/** Begins, keeps or forgets the dump that the VMI asks for. */
export async function followMemoryDump(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
): Promise<void> {
  const volume = vmi.spec.volumes?.find(({ memoryDump }) => memoryDump !== undefined);
  const claimName = volume?.memoryDump?.claimName ?? '';
  if (volume === undefined) {
    context.runState.memoryDump = undefined;
    return;
  }
  if (context.runState.memoryDump !== undefined) return;
  const directory = join(context.builder.hotplugDirectory, volume.name);
  if (!(await isDirectory(directory))) return; // not plugged in yet; it comes with another sync
  const nowMs = context.clock.now();
  const begun: DomainMemoryDump = {
    volume: volume.name,
    claimName,
    fileName: fileNameOf(vmi.metadata?.name ?? '', claimName, nowMs),
    startTimestamp: rfc3339(nowMs),
  };
  context.runState.memoryDump = begun;
  void dump(context, domain, directory, begun);
}

/** `<vm>-<claim>-<time><suffix>`, as clients of KubeVirt know it. */
export function fileNameOf(vm: string, claim: string, nowMs: number): string {
  const time = new Date(nowMs)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '')
    .replace('T', '-')
    .replaceAll(':', '');
  return `${vm}-${claim}-${time}${SUFFIX}`;
}

async function dump(
  context: DomainContext,
  domain: DomainRef,
  directory: string,
  begun: DomainMemoryDump,
): Promise<void> {
  const finish = (end: Partial<DomainMemoryDump>): void => {
    const endTimestamp = rfc3339(context.clock.now());
    if (context.runState.memoryDump === begun)
      context.runState.memoryDump = { ...begun, endTimestamp, ...end };
    context.log.info({ file: begun.fileName, ...end }, 'the dump of the guest memory has ended');
  };
  try {
    // There is room for one.
    for (const old of (await readdir(directory)).filter((name) => name.endsWith(SUFFIX)))
      await rm(join(directory, old), { force: true });
    await context.session.connection.coreDump(domain, join(directory, begun.fileName));
    finish({});
  } catch (error) {
    finish({ failed: true, message: messageOf(error) });
  }
  await context.observer.refresh();
}

/** How much of a dump that is being written is in its file: `dump.bytes`; nothing when none is. */
export async function dumpNumbers({
  runState: { memoryDump },
  builder: { hotplugDirectory },
}: {
  readonly runState: Pick<DomainContext['runState'], 'memoryDump'>;
  readonly builder: Pick<DomainContext['builder'], 'hotplugDirectory'>;
}): Promise<Readonly<Record<string, number>>> {
  if (memoryDump === undefined || memoryDump.endTimestamp !== undefined) return {};
  try {
    const { size } = await stat(join(hotplugDirectory, memoryDump.volume, memoryDump.fileName));
    return { 'dump.bytes': size };
  } catch {
    return { 'dump.bytes': 0 }; // begun, and nothing written yet
  }
}
