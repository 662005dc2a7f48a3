/** One handler for each call of `launcher.proto`. They translate; the verbs do the work. */
import { launcherMessages } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { CheckpointInvalid } from '../backup/backups.ts';
import type { DomainContext } from '../domain-manager/context.ts';
import { requireDomain } from '../domain-manager/context.ts';
import { deleteDomain } from '../domain-manager/delete.ts';
import { domainXml } from '../domain-manager/domain-xml.ts';
import { exec, guestPing } from '../domain-manager/exec.ts';
import { freeze, unfreeze } from '../domain-manager/freeze.ts';
import { guestFilesystems, guestInfo, guestUsers } from '../domain-manager/guest-info.ts';
import { kill } from '../domain-manager/kill.ts';
import { pause } from '../domain-manager/pause.ts';
import { reset } from '../domain-manager/reset.ts';
import { shutdown } from '../domain-manager/shutdown.ts';
import { softReboot } from '../domain-manager/soft-reboot.ts';
import { domainStats } from '../domain-manager/stats.ts';
import { sync } from '../domain-manager/sync.ts';
import { unpause } from '../domain-manager/unpause.ts';
import type { DomainFacts } from '../domain/domain-facts.ts';
import { isActive } from '../domain/domain-state.ts';
import { type CallHandler, unary } from '../grpc/server.ts';
import { LibvirtUnavailable } from '../domain/libvirt-session.ts';
import { finalizeTarget, prepareTarget } from '../migration/incoming.ts';
import { byteStream, eventSink } from './grpc-streams.ts';
import { openStream, type StreamTargets } from './open-stream.ts';
import {
  checkIdentity,
  parseBackupOptions,
  parseCheckpoint,
  parseHoldOptions,
  parseMigrationOptions,
  parseSyncOptions,
  parseVmi,
} from './parse.ts';
import type { DomainWatchers } from './watch-domain.ts';

const {
  BackupRequest,
  DomainResponse,
  Empty,
  ExecRequest,
  ExecResponse,
  FreezeRequest,
  GuestPingRequest,
  InfoResponse,
  JsonResponse,
  LauncherDefinition,
  MigrationRequest,
  RedefineCheckpointResponse,
  Response,
  ScreenshotResponse,
  VMIRequest,
} = launcherMessages;
type Reply = launcherMessages.Response;
/** What launchers of older versions kept is virt-handler's to keep; nobody is answered here. */
type Method = Exclude<keyof typeof LauncherDefinition.methods, 'getUsageHistory'>;

const OK: Reply = { success: true, message: '' };
const SUPPORTED_VERSIONS = [1];
const NOTHING = Buffer.alloc(0);

/** Handlers by path. */
export function launcherHandlers(
  context: DomainContext,
  watchers: DomainWatchers,
  build: string,
): ReadonlyMap<string, CallHandler> {
  const { methods, fullName } = LauncherDefinition;
  return new Map(
    Object.entries(handlersByName(context, watchers, build)).map(([name, handler]) => [
      `/${fullName}/${methods[name as Method].name}`,
      (call) => {
        context.log.debug?.({ command: name }, 'a command came');
        handler(call);
      },
    ]),
  );
}

function handlersByName(
  context: DomainContext,
  watchers: DomainWatchers,
  build: string,
): Readonly<Record<Method, CallHandler>> {
  /** Success, or a sentence on why not. */
  const outcome = (work: Promise<void>): Promise<Reply> =>
    work.then(
      () => OK,
      (error: unknown) => failure(context, error),
    );
  /** A call that names its VMI: refused when it is not ours. */
  const vmiVerb = (work: () => Promise<void>): CallHandler =>
    unary(VMIRequest, Response, ({ vmi }) => outcome(forOurs(context, vmi, work)));
  const json = (work: () => unknown): CallHandler =>
    unary(Empty, JsonResponse, async () => {
      try {
        return { response: OK, json: Buffer.from(JSON.stringify(await work())) };
      } catch (error) {
        return { response: failure(context, error), json: NOTHING };
      }
    });
  return {
    info: unary(Empty, InfoResponse, async () => ({
      supportedVersions: SUPPORTED_VERSIONS,
      build,
      stages: context.stages.all(),
    })),

    syncVirtualMachine: unary(VMIRequest, Response, ({ vmi, options }) =>
      outcome((async () => sync(context, parseVmi(vmi, context.vmiUid), parseSyncOptions(options)))()),
    ),
    pauseVirtualMachine: vmiVerb(() => pause(context)),
    unpauseVirtualMachine: vmiVerb(() => unpause(context)),
    softRebootVirtualMachine: vmiVerb(() => softReboot(context)),
    resetVirtualMachine: vmiVerb(() => reset(context)),
    freezeVirtualMachine: unary(FreezeRequest, Response, ({ vmi, unfreezeTimeoutSeconds }) =>
      outcome(forOurs(context, vmi, () => freeze(context, unfreezeTimeoutSeconds))),
    ),
    unfreezeVirtualMachine: vmiVerb(() => unfreeze(context)),
    shutdownVirtualMachine: vmiVerb(() => shutdown(context)),
    killVirtualMachine: vmiVerb(() => kill(context)),
    deleteVirtualMachine: vmiVerb(() => deleteDomain(context)),

    holdVirtualMachine: unary(VMIRequest, Response, ({ vmi, options }) =>
      outcome(forOurs(context, vmi, async () => context.guestLease.hold(parseHoldOptions(options)))),
    ),
    backupVirtualMachine: unary(BackupRequest, Response, ({ vmi, options }) =>
      outcome(
        forOurs(context, vmi, () => {
          const request = parseBackupOptions(options);
          return request.cmd === 'Abort' ? context.backups.abort(request) : context.backups.start(request);
        }),
      ),
    ),
    redefineCheckpoint: unary(BackupRequest, RedefineCheckpointResponse, ({ vmi, options }) =>
      forOurs(context, vmi, () => context.backups.redefine(parseCheckpoint(options))).then(
        () => ({ response: OK, checkpointInvalid: false }),
        (error: unknown) => ({
          response: failure(context, error),
          checkpointInvalid: error instanceof CheckpointInvalid,
        }),
      ),
    ),

    getDomain: unary(Empty, DomainResponse, async () => {
      const { known } = context.observer;
      const domain = known.kind === 'present' ? Buffer.from(JSON.stringify(known.state)) : NOTHING;
      return {
        response: known.kind === 'unknown' ? failure(context, new LibvirtUnavailable()) : OK,
        domain,
      };
    }),
    getDomainStats: json(() => domainStats(context)),
    getDomainXml: json(() => domainXml(context)),
    getGuestInfo: json(() => guestInfo(context)),
    getUsers: json(() => guestUsers(context)),
    getFilesystems: json(() => guestFilesystems(context)),
    guestPing: unary(GuestPingRequest, Response, ({ timeoutSeconds }) =>
      outcome(guestPing(context, timeoutSeconds || 1)),
    ),
    exec: unary(ExecRequest, ExecResponse, ({ command, args, timeoutSeconds }) =>
      exec(context, command, args, timeoutSeconds || 1).then(
        ({ exitCode, stdout }) => ({ response: OK, exitCode, stdout }),
        (error: unknown) => ({ response: failure(context, error), exitCode: -1, stdout: NOTHING }),
      ),
    ),
    getScreenshot: unary(Empty, ScreenshotResponse, () =>
      screenshot(context).then(
        ({ mime, data }) => ({ response: OK, mime, data }),
        (error: unknown) => ({ response: failure(context, error), mime: '', data: NOTHING }),
      ),
    ),

    watchDomain: (call) => watchers.add(eventSink(call)),
    openStream: (call) =>
      byteStream(call, (request, stream) => {
        openStream(request, stream, streamTargets(context)).catch((error: unknown) =>
          stream.fail(messageOf(error)),
        );
      }),

    prepareMigrationTarget: unary(VMIRequest, Response, ({ vmi, options }) =>
      outcome(
        (async () => prepareTarget(context, parseVmi(vmi, context.vmiUid), parseSyncOptions(options)))(),
      ),
    ),
    migrateVirtualMachine: unary(MigrationRequest, Response, ({ vmi, options }) =>
      outcome(
        (async () => context.outgoing.start(parseVmi(vmi, context.vmiUid), parseMigrationOptions(options)))(),
      ),
    ),
    cancelVirtualMachineMigration: vmiVerb(() => context.outgoing.cancel()),
    finalizeVirtualMachineMigration: unary(VMIRequest, Response, ({ vmi }) =>
      outcome((async () => finalizeTarget(context, parseVmi(vmi, context.vmiUid)))()),
    ),
    signalTargetPodCleanup: vmiVerb(async () => context.outgoing.targetIsGone()),
    getBackupProgress: unary(Empty, JsonResponse, async () => {
      const progress = await context.backups.progress();
      return {
        response: OK,
        json: progress === undefined ? NOTHING : Buffer.from(JSON.stringify(progress)),
      };
    }),
    getMigrationProgress: unary(Empty, JsonResponse, async () => {
      const { progress } = context.outgoing;
      return {
        response: OK,
        json: progress === undefined ? NOTHING : Buffer.from(JSON.stringify(progress)),
      };
    }),
  };
}

async function forOurs(context: DomainContext, vmi: Uint8Array, work: () => Promise<void>): Promise<void> {
  checkIdentity(vmi, context.vmiUid);
  await work();
}

/** Sockets of the domain while it runs. */
function streamTargets({ observer, console }: DomainContext): StreamTargets {
  const facts = (): DomainFacts | undefined => {
    const { known } = observer;
    return known.kind === 'present' && isActive(known.state.state) ? known.facts : undefined;
  };
  return {
    console,
    serialSocket: () => facts()?.serialSocket,
    vncSocket: () => facts()?.vncSocket,
    usbSocket: (slot) => facts()?.usbSockets[slot],
  };
}

async function screenshot(context: DomainContext): Promise<{ readonly mime: string; readonly data: Buffer }> {
  const { connection, domain } = await requireDomain(context, 'take a picture of');
  return connection.inspect.screenshot(domain);
}

function failure(context: DomainContext, error: unknown): Reply {
  context.log.warn({ error }, 'a command failed');
  return { success: false, message: messageOf(error) };
}
