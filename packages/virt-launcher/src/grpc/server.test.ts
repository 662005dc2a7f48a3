/** Our server against the client that virt-handler uses. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launcherMessages, launcherProto } from '@podvisor/api';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { STATUS } from './call.ts';
import { callUnary, type GrpcCallError } from './client.ts';
import { type CallHandler, GrpcServer, unary } from './server.ts';

const { Empty, ExecRequest, ExecResponse, DomainEvent, StreamChunk } = launcherMessages;
const SERVICE = '/podvisor.launcher.v1.Launcher';

describe('gRPC over our own HTTP/2 with a grpc-js client', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-grpc-'));
  const socket = join(directory, 's');
  let ended = 0;
  const handlers = new Map<string, CallHandler>([
    [
      `${SERVICE}/Exec`,
      unary(ExecRequest, ExecResponse, async ({ command, args }) => {
        if (command === 'fail') throw new Error('ä failure, 100 %');
        return { response: undefined, exitCode: args.length, stdout: Buffer.from(command) };
      }),
    ],
    [
      `${SERVICE}/WatchDomain`,
      (call) => {
        call.onEnd(() => ended++);
        for (const domain of ['one', 'two'])
          call.write(
            DomainEvent.encode({
              domain: Buffer.from(domain),
              eventType: '',
              eventReason: '',
              eventMessage: '',
            }).finish(),
          );
      },
    ],
    [
      `${SERVICE}/OpenStream`,
      (call) => {
        call.onMessage((bytes) => {
          const { data } = StreamChunk.decode(bytes);
          if (data.toString() === 'no') call.end(STATUS.failedPrecondition, 'not now');
          else call.write(StreamChunk.encode({ target: 'echo', data, scrollback: false }).finish());
        });
        call.onInputEnd(() => call.end());
      },
    ],
    [`${SERVICE}/Info`, unary(Empty, Empty, () => new Promise(() => {}))],
  ]);
  const server = new GrpcServer(handlers);
  let client: launcherProto.LauncherClient;

  before(async () => {
    await server.listen(socket);
    client = new launcherProto.LauncherClient(`unix://${socket}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    await server.close(10);
    rmSync(directory, { recursive: true });
  });

  const exec = (command: string, args: string[]): Promise<launcherProto.ExecResponse> =>
    new Promise((resolve, reject) =>
      client.exec({ command, args, timeoutSeconds: 1 }, (error, reply) =>
        error === null ? resolve(reply) : reject(error),
      ),
    );

  test('calls, many at once, also large ones', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => exec('x'.repeat(i * 10_000), Array(i).fill('a'))),
    );
    replies.forEach(({ exitCode, stdout }, i) =>
      assert.deepEqual([exitCode, stdout.length], [i, i * 10_000]),
    );
  });

  test('failures and unknown calls have their status and their words', async () => {
    await assert.rejects(exec('fail', []), (error: ServiceError) => {
      assert.deepEqual([error.code, error.details], [status.INTERNAL, 'ä failure, 100 %']);
      return true;
    });
    const unknown = new Promise((_resolve, reject) => client.getUsers({}, reject));
    await assert.rejects(unknown, (error: ServiceError) => error.code === status.UNIMPLEMENTED);
    await assert.rejects(exec('x'.repeat(9 * 1024 * 1024), []), /larger than/);
  });

  test('a stream of the server, until the client has enough', async () => {
    const stream = client.watchDomain({});
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      stream.on('data', (event: launcherProto.DomainEvent) => {
        if (seen.push(event.domain.toString()) === 2) resolve();
      });
      stream.on('error', () => {}); // our own cancellation
    });
    assert.deepEqual(seen, ['one', 'two']);
    stream.cancel();
    while (ended === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  test('our own client: replies, failures in their words, silence', async () => {
    const call = { socket, path: `${SERVICE}/Exec`, request: ExecRequest, reply: ExecResponse };
    const { signal } = new AbortController();
    const request = { command: 'x'.repeat(100_000), args: ['a'], timeoutSeconds: 1 };
    const answer = await callUnary({ ...call, timeoutMs: 1_000 }, request, signal);
    assert.deepEqual([answer.exitCode, answer.stdout.length], [1, 100_000]);
    await assert.rejects(
      callUnary({ ...call, timeoutMs: 1_000 }, { ...request, command: 'fail' }, signal),
      (error: GrpcCallError) => error.code === STATUS.internal && error.message === 'ä failure, 100 %',
    );
    const silent = { socket, path: `${SERVICE}/Info`, request: Empty, reply: Empty };
    await assert.rejects(callUnary({ ...silent, timeoutMs: 20 }, {}, signal), /no answer within 0.02 s/);
    const nobody = { ...silent, socket: `${socket}-nobody`, timeoutMs: 1_000 };
    await assert.rejects(callUnary(nobody, {}, signal), /ENOENT/);
  });

  test('both ways: order kept, end answered, refusal with its reason', async () => {
    const stream = client.openStream();
    let echoed = '';
    stream.on('data', (chunk: launcherProto.StreamChunk) => (echoed += chunk.data.toString()));
    const finished = new Promise<void>((resolve) => stream.once('end', resolve));
    for (let i = 0; i < 200; i++) stream.write({ target: '', data: Buffer.from(`${i},`), scrollback: false });
    stream.end();
    await finished;
    assert.equal(echoed, Array.from({ length: 200 }, (_, i) => `${i},`).join(''));

    const refused = client.openStream();
    const error = new Promise<ServiceError>((resolve) => refused.once('error', resolve));
    refused.resume();
    refused.write({ target: '', data: Buffer.from('no'), scrollback: false });
    assert.deepEqual([(await error).code, (await error).details], [status.FAILED_PRECONDITION, 'not now']);
  });
});
