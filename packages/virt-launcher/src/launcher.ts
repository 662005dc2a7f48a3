/** Puts the launcher together and runs it to its end. libvirtd is being started when this begins. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type DhcpLease, isHotpluggable } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { LibvirtConnection } from '@podvisor/libvirt';
import { diskPaths, trackedSinceMs } from '@podvisor/storage';
import { domainFromXml } from '@podvisor/translate';
import { run } from '@podvisor/sys';
import { mountedSecrets } from './access-credentials/secrets.ts';
import { CredentialSynchronizer } from './access-credentials/synchronizer.ts';
import { Backups } from './backup/backups.ts';
import { backupDisks, sealAtEnd, withRawDisks } from './backup/tracked-disks.ts';
import { launcherHandlers } from './command-server/handlers.ts';
import { announceReady, CommandServer } from './command-server/server.ts';
import { DomainWatchers } from './command-server/watch-domain.ts';
import { ConsoleHub } from './console/hub.ts';
import { DeviceRemovals } from './device-removals.ts';
import { DiskLeases } from './disk-leases.ts';
import { IoErrors } from './io-errors.ts';
import { unpause } from './domain-manager/unpause.ts';
import { limitConsoleLog } from './console/log-limit.ts';
import { claimDiskBytes } from './disk-bytes.ts';
import { type DomainFacts, domainFacts } from './domain-facts.ts';
import { askAgent } from './domain-manager/agent.ts';
import {
  type DhcpStarter,
  type DomainBuilder,
  type DomainContext,
  type LifeMarks,
  requireDomain,
} from './domain-manager/context.ts';
import { freezeBriefly } from './domain-manager/freeze.ts';
import { kill } from './domain-manager/kill.ts';
import { shutdown } from './domain-manager/shutdown.ts';
import { type DomainKnowledge, DomainObserver } from './domain-observer.ts';
import { isActive } from './domain-state.ts';
import { domainStats } from './domain-manager/stats.ts';
import { DownwardMetrics } from './downward-metrics/downward-metrics.ts';
import type { LauncherFlags } from './flags.ts';
import { GuestAgentPoller, NETWORK_INTERFACES } from './guest-agent/poller.ts';
import { podHooks } from './hooks/hooks.ts';
import { imageBytes } from './image-sizes.ts';
import { LibvirtSession } from './libvirt-session.ts';
import type { Log } from './log.ts';
import { incomingState } from './migration/incoming.ts';
import { OutgoingMigration } from './migration/outgoing.ts';
import { Mutex } from './mutex.ts';
import { noticeOf } from './notices.ts';
import { qemuLogTail } from './qemu-log.ts';
import type { Libvirtd } from './start-up/libvirtd.ts';
import type { LauncherPaths } from './start-up/paths.ts';
import type { Stages } from './start-up/stages.ts';
import { Termination } from './termination.ts';
import { trimMemory } from './trim-memory.ts';

export interface LauncherOptions {
  readonly flags: LauncherFlags;
  readonly paths: LauncherPaths;
  readonly libvirtd: Libvirtd;
  readonly builder: DomainBuilder;
  readonly dhcp: DhcpStarter;
  readonly stages: Stages;
  readonly clock: Clock;
  readonly log: Log;
  /** Shown by Info. */
  readonly build: string;
  /** Aborted when the Pod is asked to end. */
  readonly terminate: AbortSignal;
}

/** The garbage of a start is collected when the start is surely over. */
const TRIM_AFTER_MS = 3_000;

/** Reading a large file once more takes its time. */
const DIG_MS = 60 * 60_000;

/** Runs until the virtual machine's run is over; answers the exit code. */
export async function runLauncher(options: LauncherOptions): Promise<number> {
  const { flags, paths, libvirtd, stages, clock, log } = options;
  const ending = new AbortController();
  const domainName = `${flags.namespace}_${flags.name}`;
  const life: LifeMarks = {
    userPaused: false,
    started: false,
    startedAs: undefined,
    incoming: undefined,
    seenActive: false,
    terminating: false,
    shutdownRequestedAt: undefined,
    memoryDump: undefined,
    cancelThaw: undefined,
  };

  const removals = new DeviceRemovals();
  const session = new LibvirtSession({
    connect: async (signal) => {
      await libvirtd.listening(signal);
      return LibvirtConnection.open({ socketPath: paths.libvirt.socket, signal });
    },
    onEvent: (event) => {
      if (event.kind === 'migrationIteration') {
        outgoing.passed(event.iteration);
        return;
      }
      ioErrors.event(event);
      backups.event(event);
      removals.event(event);
      const notice = noticeOf(event);
      if (notice !== undefined) watchers.notify(notice);
      // The guest sees its NICs come and go; what it said before is not so any more.
      if (event.kind === 'deviceAdded' || event.kind === 'deviceRemoved')
        void agent.askNow(NETWORK_INTERFACES);
      void observer.refresh();
    },
    onConnected: () => {
      void observer.refresh();
      void backups.reconnected();
    },
    onLost: () => observer.lost(),
    clock,
    log,
  });
  const readFacts = (xml: string): DomainFacts => {
    const domain = domainFromXml(xml);
    const plain = withRawDisks(domain);
    return {
      ...domainFacts(domain, plain),
      diskBytes: claimDiskBytes(plain),
      imageBytes: imageBytes(domain),
    };
  };
  const dhcpLeases = new Map<string, DhcpLease>();
  const qemuPid = (): Promise<number | undefined> => readPid(paths.libvirt.pidFile(domainName));
  const observer = new DomainObserver({
    leases: dhcpLeases,
    domainName,
    vmiUid: flags.uid,
    connection: () => session.connection,
    readFacts,
    guestFacts: () => agent.facts,
    accessCredentials: () => credentials.report,
    memoryDump: () => life.memoryDump,
    backup: () => backups.state,
    shutdownRequestedAt: () => life.shutdownRequestedAt,
    diskTroubles: () => ioErrors.troubles,
    migration: (libvirt) =>
      outgoing.state ?? (life.incoming === undefined ? undefined : incomingState(life.incoming, libvirt)),
    qemuPid,
    qemuLastWords: () => qemuLogTail(paths.libvirt.qemuLog(domainName)),
    clock,
    log,
  });
  const ioErrors = new IoErrors({
    resume: () => unpause(context),
    isUserPaused: () => life.userPaused || life.terminating,
    clock,
    log,
  });
  const leases = new DiskLeases({
    holder: {
      vmi: `${flags.namespace}/${flags.name}`,
      uid: flags.uid,
      pod: process.env['POD_NAME'] ?? '',
    },
    clock,
    log,
  });
  const disks = diskPaths({ privateDir: flags.privateDir });
  const outgoing = new OutgoingMigration({
    leases,
    diskPath: (volume, block) => {
      if (isHotpluggable(volume)) return disks.hotplugDisk(volume.name, block);
      return block ? disks.blockDevice(volume.name) : disks.claimImage(volume.name);
    },
    domainName,
    session,
    socketsDirectory: dirname(paths.socket),
    restartLibvirtd: () => libvirtd.restart(),
    onChange: () => void observer.refresh(),
    notify: (notice) => watchers.notify(notice),
    deviceRemoved: (alias, signal) => removals.wait(alias, signal),
    clock,
    log,
    signal: ending.signal,
  });
  const backups = new Backups({
    vmName: flags.name,
    hotplugDirectory: options.builder.hotplugDirectory,
    domain: () => requireDomain(context, 'back up'),
    disks: () => backupDisks(context),
    trackedSinceMs: (volume) => trackedSinceMs(disks.changedBlocks(volume)),
    isMigrating: () => outgoing.isActive,
    freeze: () => freezeBriefly(context),
    dig: async (file) => void (await run('fallocate', ['--dig-holes', file], { timeoutMs: DIG_MS })),
    onChange: () => void observer.refresh(),
    clock,
    log,
  });
  const agent = new GuestAgentPoller({
    ask: (command) => askAgent(context, command),
    clock,
    log,
    onChange: () => void observer.refresh(),
  });
  const credentials = new CredentialSynchronizer({
    secrets: mountedSecrets(disks.accessCredential),
    ask: (command, args) => askAgent(context, command, args),
    clock,
    log,
    onChange: () => void observer.refresh(),
  });
  const hooks = podHooks({
    directory: flags.hooksDir,
    count: flags.hookSidecars,
    timeoutMs: flags.qemuTimeoutSeconds * 1000,
    clock,
    log,
  });
  const context: DomainContext = {
    domainName,
    vmiUid: flags.uid,
    hooks,
    session,
    observer,
    console: new ConsoleHub(),
    agent,
    credentials,
    builder: options.builder,
    dhcp: options.dhcp,
    dhcpServers: new Map(),
    podInterfaces: new Map(),
    dhcpLeases,
    readFacts,
    life,
    outgoing,
    backups,
    leases,
    qemuPid,
    mutex: new Mutex(),
    stages,
    clock,
    log,
    signal: ending.signal,
    startSignal: options.terminate,
  };
  const metrics = new DownwardMetrics({
    channelPath: `${flags.privateDir}/downwardmetrics-channel/downwardmetrics.sock`,
    diskPath: diskPaths({ privateDir: flags.privateDir }).downwardMetrics,
    stats: () => domainStats(context),
    host: async () => ({
      nodeName: life.startedAs?.status?.nodeName ?? hostname(),
      qemuVersion: await session.connection.hypervisorVersion(),
    }),
    clock,
    log,
  });
  const termination = new Termination({
    life,
    gracePeriodSeconds: flags.gracePeriodSeconds,
    keepAfterFailure: flags.keepAfterFailure,
    shutdown: () => shutdown(context),
    kill: () => kill(context),
    settled: () => context.mutex.run(async () => {}),
    clock,
    log,
  });
  observer.subscribe((known) => {
    ioErrors.observed(known);
    if (known.kind === 'present') leases.observed(known.facts.pluggedVolumes);
    follow(context, known);
    takeOver(context, known);
    if (known.kind === 'present' && life.seenActive) noteEnd(known);
    if (known.kind !== 'unknown') metrics.follow(known.kind === 'present' && isActive(known.state.state));
    termination.observed(known);
  });
  const noteEnd = ({ state }: Extract<DomainKnowledge, { kind: 'present' }>): void => {
    try {
      sealAtEnd(state, diskPaths({ privateDir: flags.privateDir }));
    } catch (error) {
      log.warn(
        { error },
        'bitmaps of changed blocks will not be used again: the next backup copies everything',
      );
    }
  };
  const watchers = new DomainWatchers(observer);
  watchers.onDelivered((known) => termination.delivered(known));
  if (options.terminate.aborted) void termination.requested();
  options.terminate.addEventListener('abort', () => void termination.requested(), { once: true });

  limitConsoleLog(paths.domainSockets, 'virt-serial0-log', ending.signal);
  const [server] = await Promise.all([
    CommandServer.listen(paths.initSocket, launcherHandlers(context, watchers, options.build)).then(
      (listening) => {
        stages.reached('command-server-listening');
        return listening;
      },
    ),
    Promise.race([session.open(), termination.finished]),
  ]);
  stages.reached('libvirt-connected');
  await announceReady(paths.initSocket, paths.socket);
  stages.reached('ready');
  log.info({ stages: stages.all() }, 'ready for commands');
  clock.after(TRIM_AFTER_MS, trimMemory);
  // Only said, not acted upon: that virt-handler is late does not make the VM fail.
  clock.after(flags.qemuTimeoutSeconds * 1000, () => {
    if (!life.started)
      log.warn({ seconds: flags.qemuTimeoutSeconds }, 'still waiting for virt-handler to start the VM');
  });

  const exitCode = await termination.finished;
  ending.abort(new Error('the launcher is ending'));
  agent.stop();
  credentials.stop();
  metrics.stop();
  await hooks.shutdown();
  context.console.end('');
  await Promise.all([...context.dhcpServers.values()].map((dhcp) => dhcp[Symbol.asyncDispose]()));
  await server.close();
  await session.close();
  await libvirtd.stop();
  return exitCode;
}

/** What follows from a new state for the launcher's other parts. Level-triggered: safe to repeat. */
function follow(context: DomainContext, known: DomainKnowledge): void {
  if (known.kind === 'unknown') return;
  const active = known.kind === 'present' && isActive(known.state.state);
  const runs = known.kind === 'present' && known.state.state === 'Running';
  if (active && !context.life.seenActive) context.clock.after(TRIM_AFTER_MS, trimMemory);
  if (active) context.life.seenActive = context.life.started = true;
  if (known.kind === 'present' && known.state.agentConnected) context.stages.reached('guest-agent-connected');
  if (runs || !active) context.agent.setConnected(runs && known.state.agentConnected);
  else context.agent.suspend();
  context.credentials.setConnected(runs && known.state.agentConnected);
  if (!active) context.console.end('');
  else if (known.facts.serialSocket !== undefined)
    context.console.connect(known.facts.serialSocket).catch((error: unknown) => {
      context.log.warn({ error }, 'the serial console cannot be read');
    });
}

/** Without waiting for virt-handler: from its first instruction here on, what the guest's TPM remembers is here. */
function takeOver({ builder, life, log }: DomainContext, known: DomainKnowledge): void {
  const { incoming, startedAs } = life;
  const arrived =
    known.kind === 'present' && known.state.migration?.role === 'target' && known.state.migration;
  if (!arrived || arrived.stage !== 'arrived' || incoming === undefined || startedAs === undefined) return;
  if (!isActive(known.state.state) || life.tookOver) return;
  life.tookOver = true;
  builder.arrived(startedAs, incoming).catch((error: unknown) => {
    log.warn({ error }, 'what the TPM remembers could not be taken over yet');
  });
}

async function readPid(path: string): Promise<number | undefined> {
  try {
    const pid = Number((await readFile(path, 'utf8')).trim());
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // QEMU is starting or ending: no pid is the honest answer
  }
}
