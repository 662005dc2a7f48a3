/** Puts the launcher together and runs it to its end. libvirtd is being started when this begins. */
import { type DhcpLease, HIBERNATION_VOLUME } from '@podvisor/api';
import { keepSmall } from '@podvisor/sys';
import { launcherHandlers } from './command-server/handlers.ts';
import { announceReady, CommandServer } from './command-server/server.ts';
import { DomainWatchers } from './command-server/watch-domain.ts';
import { ConsoleHub } from './console/hub.ts';
import { limitConsoleLog } from './console/log-limit.ts';
import { DeviceRemovals } from './domain/device-removals.ts';
import type { DomainContext } from './domain-manager/context.ts';
import { podHooks } from './hooks/hooks.ts';
import {
  launcherAgent,
  launcherBackups,
  launcherCredentials,
  launcherIoErrors,
  launcherMetrics,
} from './launcher/guest.ts';
import { followDomain, launcherTermination, newRunState } from './launcher/lifecycle.ts';
import { launcherGuestLease } from './launcher/guest-lease.ts';
import { launcherLeases, launcherMigration } from './launcher/migration.ts';
import { launcherObserver, readFacts, readPid } from './launcher/observer.ts';
import type { LauncherOptions, LauncherParts } from './launcher/parts.ts';
import { launcherSession } from './launcher/session.ts';
import { Mutex } from './mutex.ts';

export type { LauncherOptions } from './launcher/parts.ts';

/** A storage that hangs does not keep a launcher that has ended. */
const RELEASE_MS = 2_000;

class Launcher implements LauncherParts {
  readonly options: LauncherOptions;
  readonly domainName: string;
  readonly runState = newRunState();
  readonly ending = new AbortController();
  readonly removals = new DeviceRemovals();
  readonly dhcpLeases = new Map<string, DhcpLease>();
  readonly readFacts = readFacts;
  readonly session: LauncherParts['session'];
  readonly observer: LauncherParts['observer'];
  readonly watchers: LauncherParts['watchers'];
  readonly leases: LauncherParts['leases'];
  readonly guestLease: LauncherParts['guestLease'];
  readonly migration: LauncherParts['migration'];
  readonly ioErrors: LauncherParts['ioErrors'];
  readonly backups: LauncherParts['backups'];
  readonly agent: LauncherParts['agent'];
  readonly credentials: LauncherParts['credentials'];
  readonly metrics: LauncherParts['metrics'];
  readonly context: DomainContext;
  readonly termination: LauncherParts['termination'];

  constructor(options: LauncherOptions) {
    const { flags } = options;
    this.options = options;
    this.domainName = `${flags.namespace}_${flags.name}`;
    this.session = launcherSession(this);
    this.observer = launcherObserver(this);
    this.watchers = new DomainWatchers(this.observer);
    this.leases = launcherLeases(options);
    this.guestLease = launcherGuestLease(this);
    this.migration = launcherMigration(this);
    this.ioErrors = launcherIoErrors(this);
    this.backups = launcherBackups(this);
    this.agent = launcherAgent(this);
    this.credentials = launcherCredentials(this);
    this.metrics = launcherMetrics(this);
    this.context = commandContext(this);
    this.termination = launcherTermination(this);
    followDomain(this);
  }

  qemuPid(): Promise<number | undefined> {
    return readPid(this.options.libvirt.pidFile(this.domainName));
  }

  /** Resolves when commands are taken. */
  async listen(): Promise<CommandServer> {
    const { build, flags, stages } = this.options;
    const { paths } = flags;
    const handlers = launcherHandlers(this.context, this.watchers, build);
    const listening = CommandServer.listen(paths.initSocket, handlers).then((server) => {
      stages.reached('command-server-listening');
      return server;
    });
    const [server] = await Promise.all([
      listening,
      Promise.race([this.session.open(), this.termination.finished]),
    ]);
    stages.reached('libvirt-connected');
    await announceReady(paths.initSocket, paths.socket);
    stages.reached('ready');
    return server;
  }

  async end(server: CommandServer): Promise<void> {
    this.ending.abort(new Error('the launcher is ending'));
    await this.guestLease.released(RELEASE_MS);
    this.agent.stop();
    this.credentials.stop();
    this.metrics.stop();
    await this.context.hooks.shutdown();
    this.context.console.end('');
    await Promise.all([...this.context.dhcpServers.values()].map((dhcp) => dhcp[Symbol.asyncDispose]()));
    await server.close();
    await this.session.close();
    await this.options.libvirtd.stop();
  }
}

/** Runs until the virtual machine's run is over; answers the exit code. */
export async function runLauncher(options: LauncherOptions): Promise<number> {
  const { flags, stages, clock, log } = options;
  const launcher = new Launcher(options);
  limitConsoleLog(`${flags.paths.guestSockets(flags.uid)}/virt-serial0-log`, launcher.ending.signal);
  const server = await launcher.listen();
  log.info({ stages: stages.all() }, 'ready for commands');
  keepSmall({ clock });
  // Only said, not acted upon: that virt-handler is late does not make the VM fail.
  clock.after(flags.qemuTimeoutSeconds * 1000, () => {
    if (!launcher.runState.started)
      log.warn({ seconds: flags.qemuTimeoutSeconds }, 'still waiting for virt-handler to start the VM');
  });
  const exitCode = await launcher.termination.finished;
  await launcher.end(server);
  return exitCode;
}

function commandContext(parts: Omit<LauncherParts, 'context' | 'termination'>): DomainContext {
  const {
    options,
    domainName,
    session,
    observer,
    agent,
    credentials,
    runState,
    backups,
    leases,
    guestLease,
  } = parts;
  const { flags, libvirt, builder, dhcp, stages, clock, log } = options;
  return {
    domainName,
    vmiUid: flags.uid,
    hooks: podHooks({
      directory: flags.paths.hooks,
      count: flags.hookSidecars,
      timeoutMs: flags.qemuTimeoutSeconds * 1000,
      clock,
      log,
    }),
    session,
    observer,
    console: new ConsoleHub(),
    agent,
    credentials,
    builder,
    dhcp,
    dhcpServers: new Map(),
    podInterfaces: new Map(),
    dhcpLeases: parts.dhcpLeases,
    readFacts,
    runState,
    outgoing: parts.migration,
    backups,
    leases,
    stateDirectory: `${flags.paths.privateDir}/${HIBERNATION_VOLUME}`,
    stateSocket: `${flags.paths.privateDir}/memory.sock`,
    sharedMemory: {
      directory: flags.paths.sharedMemory,
      emulator: flags.paths.emulator,
      sharingEmulator: flags.paths.sharingEmulator,
      capabilities: libvirt.capabilities,
    },
    guestLease,
    qemuPid: () => parts.qemuPid(),
    mutex: new Mutex(),
    freezing: new Mutex(),
    stages,
    clock,
    log,
    signal: parts.ending.signal,
    startSignal: options.terminate,
  };
}
