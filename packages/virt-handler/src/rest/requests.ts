/** Requests that one call to the launcher answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DiskPath, VirtualMachineInstance } from '@podvisor/api';
import { memberOf, messageOf, goDurationMs } from '@podvisor/base';
import type { EventText } from '../sync/events.ts';
import {
  CheckpointInvalidError,
  type JsonVerb,
  type LauncherConnection,
  type SimpleVerb,
} from '../launcher-client/connection.ts';
import { diskPictures } from '../volumes/disk-path.ts';
import type { UsageAnswer } from '../usage/usage-answer.ts';
import type { Route } from './route.ts';

/** Finds the launcher of a VMI on this node. */
export interface LauncherFinder {
  connectionOf(
    namespace: string,
    name: string,
  ): { vmi: VirtualMachineInstance; connection: LauncherConnection } | undefined;
}

export interface RequestContext {
  readonly launchers: LauncherFinder;
  readonly tell: (vmi: VirtualMachineInstance, event: EventText) => void;
  /** The network of a VMI's Pod as it is now, to be sent as JSON. */
  readonly networkPath: (vmi: VirtualMachineInstance, connection: LauncherConnection) => Promise<unknown>;
  /** What guests used over the last hour. */
  readonly usage: Pick<UsageAnswer, 'ofGuest' | 'ofGuestThatLeft'>;
}

const SIMPLE: Readonly<Record<string, SimpleVerb>> = {
  pause: 'pauseVirtualMachine',
  unpause: 'unpauseVirtualMachine',
  softreboot: 'softRebootVirtualMachine',
  reset: 'resetVirtualMachine',
  unfreeze: 'unfreezeVirtualMachine',
};
/** Figures of what runs now, and what is said when nothing does. */
const PROGRESS = {
  migrationprogress: { question: 'getMigrationProgress', nothing: 'does not migrate' },
  backupprogress: { question: 'getBackupProgress', nothing: 'has no backup that is copied' },
} as const;
const QUESTIONS: Readonly<Record<string, JsonVerb>> = {
  guestosinfo: 'getGuestInfo',
  userlist: 'getUsers',
  filesystemlist: 'getFilesystems',
  domainstats: 'getDomainStats',
  domainxml: 'getDomainXml',
};
const EVENTS: Readonly<Record<string, EventText>> = {
  pause: { type: 'Normal', reason: 'Paused', message: 'VirtualMachineInstance paused' },
  unpause: { type: 'Normal', reason: 'Unpaused', message: 'VirtualMachineInstance unpaused' },
};
const MAX_BODY_BYTES = 64 * 1024;

/** Answers everything but streams. */
export async function answer(
  route: Exclude<Route, { kind: 'stream' }>,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const method = route.kind === 'lifecycle' || route.kind === 'backup' ? 'PUT' : 'GET';
  if (request.method !== method) return send(response, 405, `use ${method}\n`);
  const found = context.launchers.connectionOf(route.namespace, route.name);
  if (found === undefined)
    return send(
      response,
      404,
      `no launcher of VMI ${route.namespace}/${route.name} is connected on this node\n`,
    );
  const { vmi, connection } = found;
  try {
    if (route.kind === 'question')
      return send(
        response,
        200,
        await connection.ask(memberOf(QUESTIONS, route.verb) ?? 'getGuestInfo'),
        'application/json',
      );
    if (route.kind === 'usagehistory')
      return send(
        response,
        200,
        JSON.stringify(await context.usage.ofGuest(vmi, connection)),
        'application/json',
      );
    if (route.kind === 'networkpath') {
      const picture = { interfaces: await context.networkPath(vmi, connection) };
      return send(response, 200, JSON.stringify(picture), 'application/json');
    }
    if (route.kind === 'diskpath')
      return send(response, 200, JSON.stringify(await diskPath(connection)), 'application/json');
    if (route.kind === 'progress') {
      const { question, nothing } = PROGRESS[route.verb];
      const progress = await connection.ask(question);
      if (progress === '') return send(response, 404, `VMI ${route.namespace}/${route.name} ${nothing}\n`);
      return send(response, 200, progress, 'application/json');
    }
    if (route.kind === 'screenshot') {
      const { mime, data } = await connection.screenshot();
      return send(response, 200, data, pictureType(mime));
    }
    if (route.kind === 'backup') {
      const body = await bodyOf(request);
      if (route.verb === 'backup') await connection.backup(vmi, body);
      else await connection.redefineCheckpoint(vmi, body);
      return send(response, 202, '');
    }
    const verb = memberOf(SIMPLE, route.verb);
    if (verb === undefined) await connection.freeze(vmi, await unfreezeTimeout(request));
    else await connection.do(verb, vmi);
    const event = memberOf(EVENTS, route.verb);
    if (event !== undefined) context.tell(vmi, event);
    send(response, 202, '');
  } catch (error) {
    if (error instanceof CheckpointInvalidError) return send(response, 422, `${messageOf(error)}\n`);
    const isFreeze = route.kind === 'lifecycle' && (route.verb === 'freeze' || route.verb === 'unfreeze');
    if (isFreeze) context.tell(vmi, { type: 'Warning', reason: 'FreezeError', message: messageOf(error) });
    send(response, isFreeze ? 400 : 500, `${messageOf(error)}\n`);
  }
}

/** As what a picture is shown. The launcher's word is a stranger's: what it calls a page must not be one in a browser. */
function pictureType(mime: string): string {
  return /^image\/(png|jpeg|x-portable-pixmap)$/.test(mime) ? mime : 'application/octet-stream';
}

/** For another node's virt-handler: the past of a guest that it has taken over, and nothing else. */
export async function answerOtherNode(
  node: string,
  route: Route | undefined,
  response: ServerResponse,
  { usage }: Pick<RequestContext, 'usage'>,
): Promise<void> {
  const past =
    route?.kind === 'usagehistory'
      ? await usage.ofGuestThatLeft(node, route.namespace, route.name)
      : undefined;
  if (past === undefined) return send(response, 403, `nothing here is for virt-handler of node ${node}\n`);
  send(response, 200, JSON.stringify(past), 'application/json');
}

async function diskPath(connection: LauncherConnection): Promise<DiskPath> {
  const [xml, stats, filesystems] = await Promise.all([
    connection.ask('getDomainXml'),
    connection.ask('getDomainStats'),
    // Without an agent nobody knows what is mounted.
    connection.ask('getFilesystems').catch(() => ''),
  ]);
  return { disks: diskPictures({ xml, stats, filesystems }) };
}

/** `{"unfreezeTimeout": "5m0s"}` in Go's notation; 0: never by itself, and that must be said. */
async function unfreezeTimeout(request: IncomingMessage): Promise<number> {
  const text = (await bodyOf(request)).toString('utf8');
  const body =
    text === '' ? null : (JSON.parse(text) as { readonly unfreezeTimeout?: string | number } | null);
  if (body?.unfreezeTimeout === undefined)
    throw new Error('Request with no body, unfreeze timeout is required');
  return durationSeconds(body.unfreezeTimeout);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  let size = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whole seconds of a Go duration (`1h2m3.5s`) or of nanoseconds. */
export function durationSeconds(value: string | number): number {
  return Math.ceil(typeof value === 'number' ? value / 1e9 : (goDurationMs(value) ?? 0) / 1000);
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
