/** One handler for each call of `launcher.proto`. They translate; the verbs do the work. */
import type { launcherProto } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { DomainContext } from '../domain-manager/context.ts';
import { requireDomain } from '../domain-manager/context.ts';
import { deleteDomain } from '../domain-manager/delete.ts';
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
import { isActive } from '../domain-state.ts';
import { LauncherError } from '../launcher-error.ts';
import { LibvirtUnavailable } from '../libvirt-session.ts';
import { byteStream, eventSink } from './grpc-streams.ts';
import { openStream } from './open-stream.ts';
import { checkIdentity, parseSyncOptions, parseVmi } from './parse.ts';
import type { DomainWatchers } from './watch-domain.ts';

type Response = launcherProto.Response;
type VmiCall = handleUnaryCall<launcherProto.VMIRequest, Response>;

const OK: Response = { success: true, message: '' };
const SUPPORTED_VERSIONS = [1];

export function launcherHandlers(
  context: DomainContext,
  watchers: DomainWatchers,
  build: string,
): launcherProto.LauncherServer {
  /** A call that answers only success or a sentence. */
  const verb =
    <Request>(work: (request: Request) => Promise<void>): handleUnaryCall<Request, Response> =>
    (call, reply) => {
      work(call.request).then(
        () => reply(null, OK),
        (error: unknown) => reply(null, failure(context, call.getPath(), error)),
      );
    };
  /** A call that names its VMI: refused when it is not ours. */
  const vmiVerb = (work: () => Promise<void>): VmiCall =>
    verb(async (request) => {
      checkIdentity(request.vmi, context.vmiUid);
      await work();
    });
  const json =
    (work: () => unknown): handleUnaryCall<launcherProto.Empty, launcherProto.JsonResponse> =>
    (call, reply) => {
      Promise.resolve()
        .then(work)
        .then(
          (value) => reply(null, { response: OK, json: Buffer.from(JSON.stringify(value)) }),
          (error: unknown) =>
            reply(null, { response: failure(context, call.getPath(), error), json: Buffer.alloc(0) }),
        );
    };
  const notBuilt = verb(async () => {
    throw new LauncherError('live migration is not built into this launcher yet');
  });

  return {
    info: (_call, reply) =>
      reply(null, { supportedVersions: SUPPORTED_VERSIONS, build, stages: context.stages.all() }),

    syncVirtualMachine: verb(async (request) => {
      await sync(context, parseVmi(request.vmi, context.vmiUid), parseSyncOptions(request.options));
    }),
    pauseVirtualMachine: vmiVerb(() => pause(context)),
    unpauseVirtualMachine: vmiVerb(() => unpause(context)),
    softRebootVirtualMachine: vmiVerb(() => softReboot(context)),
    resetVirtualMachine: vmiVerb(() => reset(context)),
    freezeVirtualMachine: verb(async (request) => {
      checkIdentity(request.vmi, context.vmiUid);
      await freeze(context, request.unfreezeTimeoutSeconds);
    }),
    unfreezeVirtualMachine: vmiVerb(() => unfreeze(context)),
    shutdownVirtualMachine: vmiVerb(() => shutdown(context)),
    killVirtualMachine: vmiVerb(() => kill(context)),
    deleteVirtualMachine: vmiVerb(() => deleteDomain(context)),

    getDomain: (call, reply) => {
      const { known } = context.observer;
      const domain = known.kind === 'present' ? Buffer.from(JSON.stringify(known.state)) : Buffer.alloc(0);
      const response =
        known.kind === 'unknown' ? failure(context, call.getPath(), new LibvirtUnavailable()) : OK;
      reply(null, { response, domain });
    },
    getDomainStats: json(() => domainStats(context)),
    getGuestInfo: json(() => guestInfo(context)),
    getUsers: json(() => guestUsers(context)),
    getFilesystems: json(() => guestFilesystems(context)),
    guestPing: verb((request) => guestPing(context, request.timeoutSeconds || 1)),
    exec: (call, reply) => {
      const { command, args, timeoutSeconds } = call.request;
      exec(context, command, args, timeoutSeconds || 1).then(
        ({ exitCode, stdout }) => reply(null, { response: OK, exitCode, stdout }),
        (error: unknown) =>
          reply(null, {
            response: failure(context, call.getPath(), error),
            exitCode: -1,
            stdout: Buffer.alloc(0),
          }),
      );
    },
    getScreenshot: (call, reply) => {
      screenshot(context).then(
        ({ mime, data }) => reply(null, { response: OK, mime, data }),
        (error: unknown) =>
          reply(null, {
            response: failure(context, call.getPath(), error),
            mime: '',
            data: Buffer.alloc(0),
          }),
      );
    },

    watchDomain: (call) => watchers.add(eventSink(call)),
    openStream: (call) => {
      call.once('data', (first: launcherProto.StreamChunk) => {
        const stream = byteStream(call);
        const socketOf = (which: 'serialSocket' | 'vncSocket') => (): string | undefined => {
          const { known } = context.observer;
          return known.kind === 'present' && isActive(known.state.state) ? known.facts[which] : undefined;
        };
        const targets = {
          console: context.console,
          serialSocket: socketOf('serialSocket'),
          vncSocket: socketOf('vncSocket'),
          usbSocket: (slot: number) => usbSocket(context, slot),
        };
        openStream(first.target, stream, targets).catch((error: unknown) => stream.fail(messageOf(error)));
      });
    },

    prepareMigrationTarget: notBuilt,
    migrateVirtualMachine: notBuilt,
    cancelVirtualMachineMigration: notBuilt,
    finalizeVirtualMachineMigration: notBuilt,
    signalTargetPodCleanup: notBuilt,
  };
}

function usbSocket({ observer }: DomainContext, slot: number): string | undefined {
  const { known } = observer;
  return known.kind === 'present' && isActive(known.state.state) ? known.facts.usbSockets[slot] : undefined;
}

async function screenshot(context: DomainContext): Promise<{ readonly mime: string; readonly data: Buffer }> {
  const { connection, domain } = await requireDomain(context, 'take a picture of');
  return connection.inspect.screenshot(domain);
}

function failure(context: DomainContext, call: string, error: unknown): Response {
  context.log.warn({ call, error }, 'a command failed');
  return { success: false, message: messageOf(error) };
}
