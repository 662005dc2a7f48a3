/**
 * Talks to the virt-handler of a node: commands and questions over HTTPS, consoles over websockets. Both
 * sides prove who they are: we show the client certificate, and the other side must carry virt-handler's
 * own name and that of its node, signed by the same CA, for the address that its Lease gives.
 */
import type { ConnectionOptions } from 'node:tls';
import type { VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { Agent, checkHandlerIdentity, handlerOrigin, type KubeClient, resources } from '@podvisor/kube';
import { WebSocket } from 'ws';
import type { TlsFiles } from './tls-files.ts';

const TIMEOUT_MS = 10_000;
/** Freezes the guest first, which answers when it does. */
const BACKUP_MS = 60_000;
/** What was asked can never work, as opposed to not now. */
const UNPROCESSABLE = 422;
/** Answers of virt-handler carry what a guest says: bounded. */
const MAX_ANSWER_BYTES = 8 << 20;

export interface HandlerClientOptions {
  readonly client: Pick<KubeClient, 'get'>;
  readonly namespace: string;
  /** Read for every connection, so that renewed certificates are used at once. */
  tls(): TlsFiles;
}

export class HandlerClient {
  readonly #options: HandlerClientOptions;

  constructor(options: HandlerClientOptions) {
    this.#options = options;
  }

  async call(
    vmi: VirtualMachineInstance,
    method: 'GET' | 'PUT',
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly code: number; readonly contentType: string; readonly body: Buffer }> {
    const url = await this.#url(vmi, path, signal);
    const dispatcher = new Agent({ connect: this.#connection(vmi) });
    try {
      const { origin, pathname, search } = new URL(url);
      const response = await dispatcher.request({
        origin,
        path: pathname + search,
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(path === 'backup' ? BACKUP_MS : TIMEOUT_MS)]),
      });
      const answer = await bounded(response.body);
      if (response.statusCode === UNPROCESSABLE)
        throw new StatusError('Invalid', errorText(answer, UNPROCESSABLE), { code: UNPROCESSABLE });
      if (response.statusCode >= 300) throw new Error(errorText(answer, response.statusCode));
      return {
        code: response.statusCode,
        contentType: String(response.headers['content-type'] ?? 'application/json'),
        body: answer,
      };
    } finally {
      await dispatcher.destroy();
    }
  }

  /** Opens a stream; resolves, paused, when virt-handler has accepted it: a guest may speak before we listen. */
  async dial(vmi: VirtualMachineInstance, path: string, signal: AbortSignal): Promise<WebSocket> {
    const url = (await this.#url(vmi, path, signal)).replace(/^https:/, 'wss:');
    const socket = new WebSocket(url, ['plain.kubevirt.io'], {
      ...this.#connection(vmi),
      handshakeTimeout: TIMEOUT_MS,
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        socket.pause();
        resolve(socket);
      });
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        const code = response.statusCode ?? 500;
        void bounded(response).then(
          (answer) => reject(new StatusError('InternalError', errorText(answer, code), { code })),
          reject,
        );
      });
    });
  }

  async #url(vmi: VirtualMachineInstance, path: string, signal: AbortSignal): Promise<string> {
    const node = vmi.status?.nodeName ?? '';
    const { namespace: installed, client } = this.#options;
    const lease = await client.get(
      resources.leases,
      { namespace: installed, name: `virt-handler-${node}` },
      signal,
    );
    const { namespace = '', name = '' } = vmi.metadata ?? {};
    const object = `${encodeURIComponent(namespace)}/virtualmachineinstances/${encodeURIComponent(name)}`;
    return `${handlerOrigin(node, lease)}/v1/namespaces/${object}/${path}`;
  }

  #connection(vmi: VirtualMachineInstance): ConnectionOptions {
    const { clientCert: cert, clientKey: key, ca } = this.#options.tls();
    const node = vmi.status?.nodeName ?? '';
    return {
      cert,
      key,
      ca,
      checkServerIdentity: (host, certificate) => checkHandlerIdentity(node, host, certificate),
    };
  }
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new Error(`virt-handler's answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The sentence of a Status body, or the body itself. */
function errorText(answer: Buffer, code: number): string {
  const text = answer.toString('utf8').trim();
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Plain text: it is the sentence.
  }
  return text === '' ? `virt-handler answered ${code}` : text.slice(0, 1024);
}
