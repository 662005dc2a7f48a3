/** One try of a probe or an HTTP hook: did it succeed, and what did it say. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Container, LifecycleHandler, PodProbe } from '@podvisor/api';
import { messageOf, parseHostAddress, urlHost } from '@podvisor/base';
import { connectFromNetns } from '@podvisor/sys';
import { execToEnd } from '../container/exec.ts';
import type { KubeletContext } from '../context.ts';
import type { ContainerRecord } from '../pod/types.ts';
import { checkGrpc } from './grpc.ts';

export interface CheckTarget {
  readonly context: KubeletContext;
  readonly record: ContainerRecord;
  readonly container: Container;
  /** Address of the Pod. */
  readonly ip: string;
  /** The Pod uses the node's network. */
  readonly hostNetwork: boolean;
}

export interface CheckResult {
  readonly ok: boolean;
  readonly message: string;
}

type Handler = Pick<PodProbe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> | LifecycleHandler;

/** Never throws: whatever goes wrong is a failed check. */
export async function check(handler: Handler, target: CheckTarget, timeoutMs: number): Promise<CheckResult> {
  try {
    if (handler.exec !== undefined) return await checkExec(handler.exec.command ?? [], target, timeoutMs);
    if (handler.httpGet !== undefined) return await checkHttp(handler.httpGet, target, timeoutMs);
    if (handler.tcpSocket !== undefined) return await checkTcp(handler.tcpSocket, target, timeoutMs);
    if ('grpc' in handler && handler.grpc !== undefined) {
      const { port, service = '' } = handler.grpc;
      const dialled = (): Socket => dial(target, target.ip, port);
      return await checkGrpc(dialled, `${urlHost(target.ip)}:${port}`, service, timeoutMs);
    }
    return { ok: true, message: '' };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

async function checkExec(
  command: readonly string[],
  target: CheckTarget,
  timeoutMs: number,
): Promise<CheckResult> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { code, output } = await execToEnd(target.context, target.record, command, signal);
  if (signal.aborted) return { ok: false, message: `command "${command.join(' ')}" timed out` };
  return { ok: code === 0, message: output.trim() };
}

/** A port by number, or by its name in the container. */
function portNumber(port: string | number, container: Container): number {
  const number = Number(port);
  if (Number.isInteger(number)) return number;
  const named = container.ports?.find((p) => p.name === port)?.containerPort;
  if (named === undefined) throw new Error(`container ${container.name} has no port named "${port}"`);
  return named;
}

/** The kubelet asks from its node's network: a node that is cut off from the world still sees its Pods. */
function dial({ context }: CheckTarget, host: string, port: number): Socket {
  return connectFromNetns(context.nodeNetns, host, port);
}

/**
 * The address that a probe or hook goes to: the Pod's own. A `host` of the manifest may repeat it; another one would
 * make the node a messenger of whoever wrote the Pod. A Pod of the node's network may name the node's loopback.
 */
function hostOf(host: string | undefined, { ip, hostNetwork }: CheckTarget): string {
  if (host === undefined || host === '') return ip;
  const address = parseHostAddress(host === 'localhost' ? '127.0.0.1' : host)?.text;
  const isLoopback = address === '127.0.0.1' || address === '::1';
  if (address !== undefined && (address === ip || (hostNetwork && isLoopback))) return address;
  throw new Error(`host "${host}" is not an address of the Pod`);
}

type HttpGet = NonNullable<PodProbe['httpGet']>;

function checkHttp(get: HttpGet, target: CheckTarget, timeoutMs: number): Promise<CheckResult> {
  const headers = Object.fromEntries((get.httpHeaders ?? []).map((h) => [h.name, h.value]));
  const secure = (get.scheme ?? 'HTTP').toUpperCase() === 'HTTPS';
  const host = hostOf(get.host, target);
  const port = portNumber(get.port, target.container);
  const options = {
    host,
    port,
    path: get.path ?? '/',
    headers: { 'user-agent': 'kube-probe/1.34', accept: '*/*', ...headers },
    timeout: timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
    agent: false as const,
    createConnection: () => {
      const socket = dial(target, host, port);
      return secure ? tlsConnect({ socket, rejectUnauthorized: false }) : socket;
    },
    // A probe asks whether something answers; Pods rarely have a certificate for their address.
    rejectUnauthorized: false,
  };
  return new Promise((resolve) => {
    const request = (secure ? httpsRequest : httpRequest)(options, (response) => {
      const code = response.statusCode ?? 0;
      response.destroy();
      const ok = code >= 200 && code < 400;
      resolve({ ok, message: ok ? '' : `HTTP probe failed with statuscode: ${code}` });
    });
    request.on('error', (error) => resolve({ ok: false, message: messageOf(error) }));
    request.end();
  });
}

type TcpSocket = NonNullable<PodProbe['tcpSocket']>;

function checkTcp({ host, port }: TcpSocket, target: CheckTarget, timeoutMs: number): Promise<CheckResult> {
  const address = hostOf(host, target);
  const socket = dial(target, address, portNumber(port, target.container)).setTimeout(timeoutMs);
  return new Promise((resolve) => {
    const end = (ok: boolean, message: string): void => {
      socket.destroy();
      resolve({ ok, message });
    };
    socket.once('connect', () => end(true, ''));
    socket.once('timeout', () => end(false, `dial tcp ${address}:${port}: i/o timeout`));
    socket.once('error', (error) => end(false, messageOf(error)));
  });
}
