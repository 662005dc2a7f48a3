/**
 * A volume of an export, as a file that the browser saves. The export's token is read with the user's rights and stays
 * here; the bytes come through the API server, as they do for `virtctl vmexport download --port-forward`.
 */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { at, listOf, textOf } from '../plain.ts';
import { getJson } from '../requests.ts';
import { exportPath } from '../vmexport/create.ts';
import { throughServer, TOKEN_HEADER, tokenOf } from '../vmexport/download.ts';

export interface ExportedVolume {
  readonly namespace: string;
  /** Of the VirtualMachineExport. */
  readonly name: string;
  readonly volume: string;
  readonly format: string;
}

const ENDINGS: Readonly<Record<string, string>> = { gzip: 'img.gz', raw: 'img', 'tar.gz': 'tar.gz' };

export async function sendExport(
  client: KubeClient,
  wanted: ExportedVolume,
  response: ServerResponse,
): Promise<void> {
  const session = { client, namespace: wanted.namespace };
  const found = await getJson(client, exportPath(wanted.namespace, wanted.name));
  const url = urlOf(found, wanted);
  const service = textOf(at(found, 'status', 'serviceName'));
  if (url === undefined || service === undefined)
    throw new StatusError(
      'NotFound',
      `export ${wanted.name} does not offer ${wanted.volume} as ${wanted.format} now`,
    );
  const token = await tokenOf(session, found);
  const answer = await throughServer(session, service)(url, { [TOKEN_HEADER]: token, accept: '*/*' });
  const length = answer.headers['content-length'];
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${fileName(wanted)}"`,
    'cache-control': 'no-store',
    ...(typeof length === 'string' ? { 'content-length': length } : {}),
  });
  await pipeline(answer.body, response);
}

function urlOf(found: unknown, { volume, format }: ExportedVolume): string | undefined {
  const offered = listOf(at(found, 'status', 'links', 'internal', 'volumes')).find(
    (one) => at(one, 'name') === volume,
  );
  return textOf(
    at(
      listOf(at(offered, 'formats')).find((one) => at(one, 'format') === format),
      'url',
    ),
  );
}

/** Names of Kubernetes have no letter that would end the header; whatever else has is left out. Pure. */
export function fileName({
  name,
  volume,
  format,
}: Pick<ExportedVolume, 'name' | 'volume' | 'format'>): string {
  return `${name}-${volume}.${ENDINGS[format] ?? 'bin'}`.replaceAll(/[^\w.-]/g, '_');
}
