/**
 * virt-launcher: one per VM, unprivileged, inside the Pod. Here is what libvirtd needs to be started; the launcher itself
 * is loaded while libvirtd starts, which takes as long.
 */
import { existsSync } from 'node:fs';
import { messageOf, systemClock } from '@podvisor/base';
import { startProcess } from '@podvisor/sys';
import { endContainerDisks } from './end-container-disks.ts';
import { parseFlags } from './flags.ts';
import { DEFAULT_VERBOSITY, stdoutLog } from './log.ts';
import { createDirectories } from './start-up/directories.ts';
import { Libvirtd } from './start-up/libvirtd.ts';
import { libvirtPaths } from './start-up/libvirt-paths.ts';
import { Stages } from './start-up/stages.ts';

/** Beside the program when it is bundled, in the build directory when it is not; absent where no compiler was. */
const QUIET_PAGES = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/quiet-pages.so' : './quiet-pages.so',
  import.meta.url,
).pathname;

const BUILD = process.env['PODVISOR_VERSION'] ?? 'podvisor';

async function main(): Promise<number> {
  const stages = new Stages(systemClock.now);
  stages.reached('process-start', performance.timeOrigin);
  const flags = parseFlags(process.argv.slice(2));
  const { namespace, name, uid } = flags;
  process.on('exit', () => endContainerDisks(flags.paths.containerDisks));
  const log = stdoutLog(
    { component: 'virt-launcher', namespace, name, uid },
    Number(process.env['VIRT_LAUNCHER_LOG_VERBOSITY'] ?? DEFAULT_VERBOSITY),
  );
  if (flags.unknown.length > 0) log.warn({ flags: flags.unknown }, 'flags without a meaning here');
  if (flags.simulateCrash) throw new Error('Simulated virt-launcher crash');
  // Our end is the guest's end, so here, and only here, a mistake of ours is logged instead of fatal.
  for (const kind of ['unhandledRejection', 'uncaughtException'])
    process.on(kind, (error: unknown) => log.error({ error }, 'a failure that nobody handled'));
  const terminate = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => terminate.abort());

  const libvirt = libvirtPaths(flags.paths.libvirtRuntime);
  const { warmCache, kvm } = await createDirectories(flags, libvirt);
  if (!warmCache)
    log.warn({ directory: flags.capabilitiesCacheDir }, 'no warm capabilities cache: libvirtd probes QEMU');
  stages.reached('directories-made');
  const libvirtd = new Libvirtd({
    paths: libvirt,
    starter: { start: startProcess },
    clock: systemClock,
    log,
    ...(existsSync(QUIET_PAGES) ? { preload: QUIET_PAGES } : {}),
  });
  await libvirtd.start();
  stages.reached('libvirtd-started');

  const { domainBuilder, prepareEmulator, runLauncher } = await import('./commands.ts');
  if (!kvm) await prepareEmulator(flags.paths.emulator, libvirt.capabilities);
  stages.reached('program-loaded');
  return runLauncher({
    flags,
    libvirt,
    libvirtd,
    builder: domainBuilder(flags),
    // Most of its weight is a foreign-function library; a guest without DHCP does without.
    dhcp: {
      start: async (attachment, onLease) =>
        (await import('./network/guest-dhcp.ts')).guestDhcp(log).start(attachment, onLease),
    },
    stages,
    clock: systemClock,
    log,
    build: BUILD,
    terminate: terminate.signal,
  });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`virt-launcher: ${messageOf(error)}\n`);
    process.exit(1);
  },
);
