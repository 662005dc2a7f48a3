/** One try of a probe or an HTTP hook: did it succeed, and what did it say. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Container, LifecycleHandler, PodProbe } from '@podvisor/api';
import { messageOf, urlHost } from '@podvisor/base';
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
  return isIP(host) !== 0 ? connectFromNetns(context.nodeNetns, host, port) : connect({ host, port });
}

type HttpGet = NonNullable<PodProbe['httpGet']>;

function checkHttp(get: HttpGet, target: CheckTarget, timeoutMs: number): Promise<CheckResult> {
  const headers = Object.fromEntries((get.httpHeaders ?? []).map((h) => [h.name, h.value]));
  const secure = (get.scheme ?? 'HTTP').toUpperCase() === 'HTTPS';
  const host = get.host ?? target.ip;
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
  const socket = dial(target, host ?? target.ip, portNumber(port, target.container)).setTimeout(timeoutMs);
  return new Promise((resolve) => {
    const end = (ok: boolean, message: string): void => {
      socket.destroy();
      resolve({ ok, message });
    };
    socket.once('connect', () => end(true, ''));
    socket.once('timeout', () => end(false, `dial tcp ${host ?? target.ip}:${port}: i/o timeout`));
    socket.once('error', (error) => end(false, messageOf(error)));
  });
}
