/** `pods/log`: the output of a container as plain text. */
import { StatusError } from '@podvisor/base';
import type { VerbContext } from '../core.ts';
import type { Answer } from '../verbs/answer.ts';
import { find } from '../verbs/read/get.ts';
import { arrayAt, type KubeObject, stringAt } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import type { NodeProxy, PodRef } from '@podvisor/home-contract';
import { logOptions } from './log-options.ts';
import { type ApiResponse, isGone } from '../wire/exchange.ts';

export function podLogWith(nodeProxy: NodeProxy | undefined): (context: VerbContext) => Answer {
  return (context) => {
    const options = logOptions(context.info.query, context.info.name);
    const pod = find({ ...context, info: { ...context.info, subresource: '' } }).object;
    const container = containerOf(pod, context.info.query.get('container') ?? '');
    const ref = podRef(pod);
    if (ref.nodeName === '') return { kind: 'stream', start: (response) => response.writeHead(204).end() };
    if (nodeProxy === undefined) throw noNodes();
    return {
      kind: 'stream',
      start: (response) => void stream(nodeProxy.logs(ref, container, options, context.signal), response),
    };
  };
}

export function noNodes(): StatusError {
  return new StatusError('InternalError', 'this server was started without access to nodes', { code: 501 });
}

export function podRef(pod: KubeObject): PodRef {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return { namespace, name, uid, nodeName: stringAt(pod, 'spec', 'nodeName') };
}

/** The named container, or the only one. */
export function containerOf(pod: KubeObject, asked: string): string {
  const names = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((key) =>
    arrayAt(pod, 'spec', key).map((c) => stringAt(c, 'name')),
  );
  const podName = pod.metadata.name ?? '';
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${podName}`);
    return asked;
  }
  const byDefault = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (byDefault !== undefined && names.includes(byDefault)) return byDefault;
  const main = arrayAt(pod, 'spec', 'containers').map((c) => stringAt(c, 'name'));
  if (main.length === 1) return main[0] ?? '';
  const init = arrayAt(pod, 'spec', 'initContainers').map((c) => stringAt(c, 'name'));
  const more = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${main.join(' ')}]${more}`,
  );
}

async function stream(chunks: AsyncIterable<Uint8Array>, response: ApiResponse): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!response.headersSent)
        response
          .writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' })
          .flushHeaders?.();
      if (!response.write(chunk) && !isGone(response))
        await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve));
      if (isGone(response)) return;
    }
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain' });
  } catch (error) {
    if (!response.headersSent) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write(
        JSON.stringify(
          new StatusError('BadRequest', error instanceof Error ? error.message : String(error)).toBody(),
        ),
      );
    }
  }
  response.end();
}
