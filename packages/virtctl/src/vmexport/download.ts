/** Downloads what a VirtualMachineExport offers: a volume, or the manifest of the VM. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Session } from '../kube-access.ts';
import { at, listOf, textOf } from '../plain.ts';
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
  /** Keep the export afterwards. */
  readonly keep: boolean;
}

const POLL_MS = 2000;
const TOKEN_HEADER = 'x-kubevirt-export-token';

export async function downloadExport(session: Session, shell: Shell, wanted: Download): Promise<void> {
  if (wanted.portForward)
    throw new Error(
      '--port-forward is not available yet for downloads: use --service-url with a port-forward of your own',
    );
  if (wanted.source !== undefined)
    await createExport(session, shell, { name: wanted.name, source: wanted.source });
  try {
    const ready = await waitUntilReady(session, shell, wanted);
    const token = await tokenOf(session, ready);
    const url = wanted.manifest === undefined ? volumeUrl(ready, wanted) : manifestUrl(ready, wanted);
    await fetchTo(url, token, certificateOf(ready), wanted, shell);
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
  for (;;) {
    const found = await findJson(client, exportPath(namespace, wanted.name));
    const phase = textOf(at(found, 'status', 'phase'));
    if (phase === 'Ready') return found;
    if (phase === 'Skipped')
      throw new Error(
        `VirtualMachineExport '${namespace}/${wanted.name}' is skipped: its source has no volume to export`,
      );
    tell(
      shell,
      found === undefined
        ? `couldn't get VM Export ${wanted.name}, waiting for it to be created...`
        : `waiting for VM Export ${wanted.name} status to be ready...`,
    );
    if (shell.now() > over)
      throw new Error(
        `VirtualMachineExport '${namespace}/${wanted.name}' is not ready after ${wanted.readinessTimeoutMs / 1000} s`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function tokenOf({ client, namespace }: Session, ready: unknown): Promise<string> {
  const name =
    textOf(at(ready, 'status', 'tokenSecretRef')) ?? textOf(at(ready, 'spec', 'tokenSecretRef')) ?? '';
  const secret = await getJson(client, objectPath('v1', namespace, 'secrets', name));
  return Buffer.from(textOf(at(secret, 'data', 'token')) ?? '', 'base64').toString('utf8');
}

const side = (wanted: Download): 'internal' | 'external' =>
  wanted.serviceUrl === undefined ? 'external' : 'internal';

function certificateOf(ready: unknown): string | undefined {
  return textOf(at(ready, 'status', 'links', 'external', 'cert'));
}

function onService(url: string, wanted: Download): string {
  if (wanted.serviceUrl === undefined) return url;
  const parsed = new URL(url);
  parsed.host = wanted.serviceUrl;
  return parsed.href;
}

/** The link of the wanted volume in the wanted format. */
function volumeUrl(ready: unknown, wanted: Download): string {
  const volumes = listOf(at(ready, 'status', 'links', side(wanted), 'volumes'));
  if (volumes.length === 0)
    throw new Error(`unable to access the volume info from '${wanted.name}' VirtualMachineExport`);
  if (volumes.length > 1 && wanted.volume === undefined)
    throw new Error(
      `detected more than one downloadable volume in '${wanted.name}' VirtualMachineExport: ${volumes.map((v) => textOf(at(v, 'name'))).join(', ')}. Select one with the --volume flag`,
    );
  const volume = volumes.find((one) => wanted.volume === undefined || at(one, 'name') === wanted.volume);
  const formats = listOf(at(volume, 'formats'));
  const preferred =
    formats.find((one) => at(one, 'format') === 'gzip') ?? formats.find((one) => at(one, 'format') === 'raw');
  const url = textOf(at(preferred, 'url'));
  if (url === undefined)
    throw new Error(`unable to get a valid URL from '${wanted.name}' VirtualMachineExport`);
  return onService(url, wanted);
}

function manifestUrl(ready: unknown, wanted: Download): string {
  const manifests = listOf(at(ready, 'status', 'links', side(wanted), 'manifests'));
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
  return onService(url, wanted);
}

async function fetchTo(
  url: string,
  token: string,
  ca: string | undefined,
  wanted: Download,
  shell: Shell,
): Promise<void> {
  const connect = { rejectUnauthorized: !wanted.insecure, ...(ca === undefined ? {} : { ca }) };
  const dispatcher = new Agent({ connect, bodyTimeout: 0 });
  const accept = wanted.manifest === undefined ? '*/*' : `application/${wanted.manifest}`;
  const response = await request(url, { dispatcher, headers: { [TOKEN_HEADER]: token, accept } });
  if (response.statusCode >= 300) throw new Error(`bad status: ${response.statusCode} from ${url}`);
  const out = wanted.output === '-' ? shell.stdout : createWriteStream(wanted.output);
  const end = { end: wanted.output !== '-' };
  const unpack = wanted.raw && /\.gz$/.test(new URL(url).pathname);
  if (unpack) await pipeline(response.body, createGunzip(), out, end);
  else await pipeline(response.body, out, end);
}
