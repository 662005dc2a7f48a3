/** Downloads what a VirtualMachineExport offers: a volume, or the manifest of the VM. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { StreamedAnswer } from '@podvisor/kube';
import { Agent, request } from 'undici';
import type { Session } from '../kube-access.ts';
import { at, listOf, textOf } from '../plain.ts';
import { counting, Progress, type ProgressMode } from '../progress.ts';
import { findJson, getJson, objectPath } from '../requests.ts';
import { type Shell, tell } from '../shell.ts';
import { createExport, deleteExport, type ExportSource, exportPath } from './create.ts';

export interface Download {
  readonly name: string;
  /** Create the export first, for this source. */
  readonly source?: ExportSource;
  /** File, or `-` for standard output. */
  readonly output: string;
  readonly volume?: string;
  readonly raw: boolean;
  readonly manifest?: 'yaml' | 'json';
  readonly includeSecret?: boolean;
  readonly serviceUrl?: string;
  readonly insecure: boolean;
  readonly portForward: boolean;
  readonly readinessTimeoutMs: number;
  /** Wait also for what somebody has to do first: stop the VM. */
  readonly waitForUse: boolean;
  /** Keep the export afterwards. */
  readonly keep: boolean;
  readonly progress?: ProgressMode;
}

const POLL_MS = 2000;
export const TOKEN_HEADER = 'x-kubevirt-export-token';

export async function downloadExport(session: Session, shell: Shell, wanted: Download): Promise<void> {
  if (wanted.source !== undefined)
    await createExport(session, shell, { name: wanted.name, source: wanted.source });
  try {
    const ready = await waitUntilReady(session, shell, wanted);
    const token = await tokenOf(session, ready);
    const way = await wayTo(session, ready, wanted);
    const url =
      wanted.manifest === undefined ? volumeUrl(ready, wanted, way) : manifestUrl(ready, wanted, way);
    const get =
      way.service === undefined
        ? direct(certificateOf(ready, way), wanted)
        : throughServer(session, way.service);
    await fetchTo(url, token, get, wanted, shell);
  } finally {
    if (!wanted.keep) await deleteExport(session, shell, wanted.name);
  }
  if (wanted.output !== '-') tell(shell, 'Download finished successfully');
}

async function waitUntilReady(
  { client, namespace }: Session,
  shell: Shell,
  wanted: Download,
): Promise<unknown> {
  const over = shell.now() + wanted.readinessTimeoutMs;
  let told = '';
  for (;;) {
    const found = await findJson(client, exportPath(namespace, wanted.name));
    const phase = textOf(at(found, 'status', 'phase'));
    if (phase === 'Ready') return found;
    if (phase === 'Skipped')
      throw new Error(
        `VirtualMachineExport '${namespace}/${wanted.name}' is skipped: its source has no volume to export`,
      );
    const why = obstacleOf(found);
    if (!wanted.waitForUse && isInUse(found))
      throw new Error(
        `VirtualMachineExport '${namespace}/${wanted.name}' cannot be ready now${why}. With --wait it is waited for`,
      );
    const line =
      found === undefined
        ? `couldn't get VM Export ${wanted.name}, waiting for it to be created...`
        : `waiting for VM Export ${wanted.name} status to be ready...${why}`;
    if (line !== told) tell(shell, line);
    told = line;
    if (shell.now() > over)
      throw new Error(
        `VirtualMachineExport '${namespace}/${wanted.name}' is not ready after ${wanted.readinessTimeoutMs / 1000} s${why}`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function readyCondition(found: unknown): unknown {
  return listOf(at(found, 'status', 'conditions')).find((one) => at(one, 'type') === 'Ready');
}

/** A running guest holds the volumes: it does not end by being waited for. */
function isInUse(found: unknown): boolean {
  return at(readyCondition(found), 'reason') === 'InUse';
}

/** What the export waits for, in its own words; empty when it says nothing. */
function obstacleOf(found: unknown): string {
  const ready = readyCondition(found);
  const message = textOf(at(ready, 'message')) ?? '';
  return message === '' ? '' : ` (${message})`;
}

/** Out of the Secret of the export; the user must be allowed to read it. */
export async function tokenOf({ client, namespace }: Session, ready: unknown): Promise<string> {
  const name =
    textOf(at(ready, 'status', 'tokenSecretRef')) ?? textOf(at(ready, 'spec', 'tokenSecretRef')) ?? '';
  const secret = await getJson(client, objectPath('v1', namespace, 'secrets', name));
  return Buffer.from(textOf(at(secret, 'data', 'token')) ?? '', 'base64').toString('utf8');
}

/** By which links the server is reached, and at which address if not at theirs. */
interface Way {
  readonly side: 'internal' | 'external';
  readonly address?: string;
  /** Through the API server, to this Service. */
  readonly service?: string;
}

/** Where nothing leads in from outside, the Service itself is tried: the machine of a one-machine cluster reaches it. */
async function wayTo({ client, namespace }: Session, ready: unknown, wanted: Download): Promise<Way> {
  if (wanted.serviceUrl !== undefined) return { side: 'internal', address: wanted.serviceUrl };
  if (wanted.portForward) {
    const service = textOf(at(ready, 'status', 'serviceName'));
    if (service === undefined) throw new Error(`VirtualMachineExport '${wanted.name}' has no Service`);
    return { side: 'internal', service };
  }
  if (at(ready, 'status', 'links', 'external') !== undefined) return { side: 'external' };
  const name = textOf(at(ready, 'status', 'serviceName'));
  if (name === undefined) return { side: 'external' };
  const service = await findJson(client, objectPath('v1', namespace, 'services', name));
  const address = textOf(at(service, 'spec', 'clusterIP'));
  return address === undefined ? { side: 'external' } : { side: 'internal', address };
}

function certificateOf(ready: unknown, { side }: Way): string | undefined {
  return textOf(at(ready, 'status', 'links', side, 'cert'));
}

function onService(url: string, { address }: Way): string {
  if (address === undefined) return url;
  const parsed = new URL(url);
  parsed.host = address;
  return parsed.href;
}

/** The link of the wanted volume in the wanted format. */
function volumeUrl(ready: unknown, wanted: Download, way: Way): string {
  const volumes = listOf(at(ready, 'status', 'links', way.side, 'volumes'));
  if (volumes.length === 0)
    throw new Error(`unable to access the volume info from '${wanted.name}' VirtualMachineExport`);
  if (volumes.length > 1 && wanted.volume === undefined)
    throw new Error(
      `detected more than one downloadable volume in '${wanted.name}' VirtualMachineExport: ${volumes.map((v) => textOf(at(v, 'name'))).join(', ')}. Select one with the --volume flag`,
    );
  const volume = volumes.find((one) => wanted.volume === undefined || at(one, 'name') === wanted.volume);
  if (volume === undefined)
    throw new Error(
      `unable to get a valid URL from '${wanted.name}' VirtualMachineExport: it has no volume ${wanted.volume}, but ${volumes.map((v) => textOf(at(v, 'name'))).join(', ')}`,
    );
  const formats = listOf(at(volume, 'formats'));
  const [preferred] = ['gzip', 'tar.gz', 'raw'].flatMap((format) =>
    formats.filter((one) => at(one, 'format') === format),
  );
  const url = textOf(at(preferred, 'url'));
  if (url === undefined)
    throw new Error(`unable to get a valid URL from '${wanted.name}' VirtualMachineExport`);
  return onService(url, way);
}

function manifestUrl(ready: unknown, wanted: Download, way: Way): string {
  const manifests = listOf(at(ready, 'status', 'links', way.side, 'manifests'));
  const find = (type: string): string | undefined =>
    textOf(
      at(
        manifests.find((one) => at(one, 'type') === type),
        'url',
      ),
    );
  const url = find(wanted.includeSecret === true ? 'auth-header-secret' : 'all');
  if (url === undefined)
    throw new Error(`unable to get the manifest URL from '${wanted.name}' VirtualMachineExport`);
  return onService(url, way);
}

type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<StreamedAnswer>;

function direct(ca: string | undefined, { insecure }: Download): Get {
  const connect = { rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) };
  const dispatcher = new Agent({ connect, bodyTimeout: 0 });
  return (url, headers) => request(url, { dispatcher, headers });
}

/** As `kubectl` reaches what it cannot see: the API server hands the request on. No port of this machine is needed. */
export function throughServer({ client, namespace }: Session, service: string): Get {
  return (url, headers) => {
    const { pathname, search } = new URL(url);
    const path = `${objectPath('v1', namespace, 'services')}/https:${service}:443/proxy${pathname}${search}`;
    return client.stream({ method: 'GET', path, headers });
  };
}

async function fetchTo(url: string, token: string, get: Get, wanted: Download, shell: Shell): Promise<void> {
  const accept = wanted.manifest === undefined ? '*/*' : `application/${wanted.manifest}`;
  const response = await get(url, { [TOKEN_HEADER]: token, accept });
  if (response.statusCode >= 300) throw new Error(`bad status: ${response.statusCode} from ${url}`);
  const out = wanted.output === '-' ? shell.stdout : createWriteStream(wanted.output);
  const end = { end: wanted.output !== '-' };
  const total = Number(response.headers['content-length'] ?? 0);
  const mode = wanted.progress ?? 'auto';
  const progress = new Progress({ what: 'download', mode, out: shell.stderr, now: () => shell.now() });
  const count = wanted.output === '-' ? [] : [counting(progress, total > 0 ? total : undefined)];
  const unpack = wanted.raw && /\.gz$/.test(new URL(url).pathname);
  if (unpack) await pipeline([response.body, ...count, createGunzip(), out], end);
  else await pipeline([response.body, ...count, out], end);
}
