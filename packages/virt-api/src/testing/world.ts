/** virt-api on loopback with real TLS, a recorded API and a virt-handler that echoes consoles. */
import { once } from 'node:events';
import { type Agent, createServer, request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificateNames, clusterConfig, type KubernetesObject, nodeUnit, refusal } from '@podvisor/api';
import {
  createCa,
  issueCertificate,
  type KeyPair,
  type ObjectKey,
  type Patch,
  type Resource,
} from '@podvisor/kube';
import { WebSocket, WebSocketServer } from 'ws';
import { publicDocuments } from '../discovery.ts';
import { HandlerClient } from '../handler-client.ts';
import { ApiServer } from '../server.ts';
import { Subresources } from '../subresources/serve.ts';
import type { TlsFiles } from '../tls-files.ts';
import { Webhooks } from '../webhooks/serve.ts';

const now = Date.now();
const quiet = { info() {}, warn() {}, error() {} };

export const frontProxyCa = createCa({ commonName: 'front-proxy-ca', now });
export const kubevirtCa = createCa({ commonName: 'kubevirt.io', now });

export function clientCertificate(ca: KeyPair, commonName: string): KeyPair {
  return issueCertificate(ca, { commonName, usages: ['client'], now });
}

function serverCertificate(commonName: string, node?: string): KeyPair {
  return issueCertificate(kubevirtCa, {
    commonName,
    ...(node === undefined ? {} : { organizationalUnits: [nodeUnit(node)] }),
    usages: ['server'],
    names: ['127.0.0.1'],
    now,
  });
}

export function tlsFiles(): TlsFiles {
  const server = serverCertificate('virt-api');
  const client = clientCertificate(kubevirtCa, certificateNames.virtApiClient);
  return {
    serverCert: server.certificate,
    serverKey: server.key,
    clientCert: client.certificate,
    clientKey: client.key,
    ca: kubevirtCa.certificate,
  };
}

export class World {
  readonly objects = new Map<string, KubernetesObject>();
  readonly patches: { readonly path: string; readonly patch: Patch }[] = [];
  readonly reviews: unknown[] = [];
  /** The answer of every SubjectAccessReview. */
  allowed = true;
  /** The API server has told whom to trust. */
  knowsFrontProxy = true;
  readonly handlerCalls: { readonly url: string }[] = [];
  readonly server: ApiServer;
  #port = 0;
  #closeHandler: () => void = () => undefined;
  /** Common name and node in virt-handler's certificate. */
  readonly #handlerName: string;
  readonly #handlerNode: string | undefined;

  constructor(
    handlerName: string = certificateNames.handlerServer,
    handlerNode: string | undefined = 'node-1',
  ) {
    this.#handlerName = handlerName;
    this.#handlerNode = handlerNode;
    const client = this.#client();
    const tls = tlsFiles();
    this.server = new ApiServer(tls, {
      documents: publicDocuments('v1.2.3'),
      webhooks: new Webhooks(
        new Map([['/some-webhook', () => ({ kind: 'validated', ...refusal('no', 400) })]]),
        () => {
          throw new Error('no webhook here');
        },
      ),
      subresources: new Subresources({
        client,
        handlers: new HandlerClient({ client, namespace: 'kubevirt', tls: () => tls }),
        config: () => clusterConfig(),
      }),
      metrics: {
        access: { judge: async (header) => (header === 'Bearer good' ? 200 : 401) },
        families: () => [],
      },
      frontProxy: () =>
        this.knowsFrontProxy
          ? {
              clientCa: frontProxyCa.certificate,
              allowedNames: ['front-proxy-client'],
              usernameHeaders: ['X-Remote-User'],
              groupHeaders: ['X-Remote-Group'],
              extraHeaderPrefixes: ['X-Remote-Extra-'],
            }
          : undefined,
      health: { answer: async () => ({ code: 200, body: { 'config-resource-version': '7' } }) },
      isReady: () => true,
      webhooksNeedCertificate: true,
      log: quiet,
    });
  }

  async start(): Promise<this> {
    this.#port = await this.server.listen('127.0.0.1', 0);
    await this.#startHandler();
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closeHandler();
    await this.server.close();
  }

  store(plural: string, object: KubernetesObject): void {
    this.objects.set(`${plural}/${object.metadata?.namespace}/${object.metadata?.name}`, object);
  }

  /** One request as the API server's front proxy makes it, unless `identity` is another. */
  request(
    method: string,
    path: string,
    {
      identity = clientCertificate(frontProxyCa, 'front-proxy-client'),
      body,
      agent,
    }: { identity?: KeyPair | 'none'; body?: unknown; agent?: Agent } = {},
  ): Promise<{ readonly code: number; readonly body: string }> {
    const options: RequestOptions = {
      ...this.#connection(identity),
      ...(agent === undefined ? {} : { agent }),
      method,
      path,
      headers: { 'X-Remote-User': 'ann', 'X-Remote-Group': 'dev' },
    };
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      });
      outgoing.once('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  webSocket(path: string): WebSocket {
    const { host, port, ...tls } = this.#connection(clientCertificate(frontProxyCa, 'front-proxy-client'));
    return new WebSocket(`wss://${host}:${port}${path}`, ['plain.kubevirt.io'], {
      ...tls,
      headers: { 'X-Remote-User': 'ann' },
    });
  }

  #connection(identity: KeyPair | 'none') {
    const shown = identity === 'none' ? {} : { cert: identity.certificate, key: identity.key };
    return {
      host: '127.0.0.1',
      port: this.#port,
      ca: kubevirtCa.certificate,
      agent: false,
      ...shown,
    } as const;
  }

  async #startHandler(): Promise<void> {
    const identity = serverCertificate(this.#handlerName, this.#handlerNode);
    const handler = createServer({
      cert: identity.certificate,
      key: identity.key,
      ca: kubevirtCa.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const sockets = new WebSocketServer({ server: handler });
    sockets.on('connection', (socket, request) => {
      this.handlerCalls.push({ url: request.url ?? '' });
      socket.on('message', (data: Buffer) => {
        if (data.toString() === 'another viewer\n') socket.terminate();
        else if (data.toString() === 'the guest ends\n') socket.close();
        else socket.send(Buffer.concat([Buffer.from('echo '), data]));
      });
    });
    handler.on('request', (request, response) => {
      this.handlerCalls.push({ url: request.url ?? '' });
      response.writeHead(202).end('{}');
    });
    handler.listen(0, '127.0.0.1');
    await once(handler, 'listening');
    const { port } = handler.address() as AddressInfo;
    this.store('leases', {
      metadata: {
        name: 'virt-handler-node-1',
        namespace: 'kubevirt',
        annotations: { 'podvisor.io/endpoint': `https://127.0.0.1:${port}` },
      },
    });
    this.#closeHandler = () => {
      for (const socket of sockets.clients) socket.terminate();
      handler.close();
      handler.closeAllConnections();
    };
  }

  #client() {
    const find = async <T extends KubernetesObject>(
      resource: Resource<T>,
      key: ObjectKey,
    ): Promise<T | undefined> =>
      this.objects.get(`${resource.plural}/${key.namespace}/${key.name}`) as T | undefined;
    return {
      find,
      list: async <T extends KubernetesObject>(
        { plural }: Resource<T>,
        options: { readonly namespace?: string | undefined },
      ) => {
        const prefix = `${plural}/${options.namespace}/`;
        const items = [...this.objects]
          .filter(([key]) => key.startsWith(prefix))
          .map(([, object]) => object as T);
        return { metadata: {}, items };
      },
      get: async <T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T> => {
        const found = await find(resource, key);
        if (found === undefined) throw new Error(`${resource.plural} "${key.name}" not found`);
        return found;
      },
      create: async <T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> => {
        if (resource.kind !== 'SubjectAccessReview') return object;
        this.reviews.push('spec' in object ? object.spec : undefined);
        return { ...object, status: { allowed: this.allowed } };
      },
      patch: async <T extends KubernetesObject>(
        resource: Resource<T>,
        key: ObjectKey,
        patch: Patch,
      ): Promise<T> => {
        const path = [resource.plural, key.namespace, key.name, patch.subresource].filter(Boolean).join('/');
        this.patches.push({ path, patch });
        return {} as T;
      },
    };
  }
}
