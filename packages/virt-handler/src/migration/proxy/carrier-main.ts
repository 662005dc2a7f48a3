/**
 * A thread that carries the bytes of one migration on one node: all of its connections, by turns. It waits in poll(2)
 * and never in Node's event loop, so messages are fetched when the wake-up descriptor says that there are some.
 */
import { closeSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { nodeUnit } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { POLLIN, POLLOUT, readInto, TlsContext, type TlsSession, waitForAny } from '@podvisor/sys';
import { CarriedConnection } from './carried.ts';
import type { CarrierData, FromCarrier, ToCarrier } from './carrier-messages.ts';

interface Connection {
  readonly network: number;
  readonly tls: TlsSession;
  readonly sinceMs: number;
  pod?: number;
  state:
    | { readonly kind: 'handshake'; readonly events: number }
    | { readonly kind: 'secured' }
    | { readonly kind: 'joined'; readonly carried: CarriedConnection };
}

/** A process that ends waits for its threads: none of them may sleep for long. */
const LONGEST_WAIT_MS = 500;
/** Turns in which bytes moved, before messages are looked for. */
const TURNS = 16;

const { identities, peer, handshakeMs, wakeFd } = workerData as CarrierData;
const contexts = new Map([...identities].map(([channel, identity]) => [channel, new TlsContext(identity)]));
const connections = new Map<number, Connection>();
const wakeBytes = Buffer.alloc(64);
let isStopped = false;

try {
  while (!isStopped) {
    const isBusy = workSome();
    const wants = [{ fd: wakeFd, events: POLLIN }, ...[...connections.values()].flatMap(wantsOf)];
    const [isWoken] = waitForAny(wants, isBusy ? 0 : LONGEST_WAIT_MS);
    if (isWoken === true) hear();
  }
} finally {
  // Also when something was wrong with one of them: descriptors outlive a thread.
  for (const id of connections.keys()) drop(id);
}
for (const context of contexts.values()) context[Symbol.dispose]();
closeSync(wakeFd);

function hear(): void {
  readInto(wakeFd, wakeBytes);
  if (parentPort === null) return;
  for (;;) {
    const received = receiveMessageOnPort(parentPort) as { readonly message: ToCarrier } | undefined;
    if (received === undefined) return;
    obey(received.message);
  }
}

function obey(message: ToCarrier): void {
  switch (message.kind) {
    case 'secure': {
      const tls = contexts.get(message.channel)?.session(message.network);
      if (tls === undefined) throw new Error(`nothing is known of channel ${message.channel}`);
      connections.set(message.id, {
        network: message.network,
        tls,
        sinceMs: performance.now(),
        state: { kind: 'handshake', events: POLLIN | POLLOUT },
      });
      return;
    }
    case 'join': {
      const connection = connections.get(message.id);
      if (connection === undefined) return closeSync(message.pod); // it broke meanwhile
      connection.pod = message.pod;
      const carried = new CarriedConnection(connection.tls, connection.network, message.pod);
      connection.state = { kind: 'joined', carried };
      return;
    }
    case 'drop':
      return drop(message.id);
    case 'dismiss':
      if (connections.get(message.id)?.state.kind === 'handshake') drop(message.id, 'others came after it');
      return;
    case 'stop':
      isStopped = true;
  }
}

/** Whether there is more to do at once. */
function workSome(): boolean {
  for (let turn = 0; turn < TURNS; turn += 1) {
    let moved = false;
    for (const [id, connection] of connections) moved = step(id, connection) || moved;
    if (!moved) return false;
  }
  return true;
}

function step(id: number, connection: Connection): boolean {
  const { state } = connection;
  if (state.kind === 'handshake') return greet(id, connection);
  if (state.kind === 'secured') return false;
  const done = state.carried.work();
  if (done === 'closed') drop(id);
  return done === 'moved';
}

function greet(id: number, connection: Connection): boolean {
  try {
    const result = connection.tls.handshake();
    if (result === 'done') {
      const { name, unit } = connection.tls.peer;
      if (name !== peer.name) throw new Error(`the peer shows the certificate of ${name}`);
      if (unit !== nodeUnit(peer.node))
        throw new Error(`the peer shows a certificate of ${unit}, and not of node ${peer.node}`);
      if (!connection.tls.hasProtocol) throw new Error('the peer does not name the migration');
      connection.state = { kind: 'secured' };
      tell({ kind: 'secured', id });
      return true;
    }
    if (performance.now() - connection.sinceMs > handshakeMs) throw new Error('the peer says nothing');
    connection.state = { kind: 'handshake', events: result === 'read' ? POLLIN : POLLOUT };
  } catch (error) {
    drop(id, messageOf(error));
  }
  return false;
}

function wantsOf({
  state,
  network,
}: Connection): readonly { readonly fd: number; readonly events: number }[] {
  switch (state.kind) {
    case 'handshake':
      return [{ fd: network, events: state.events }];
    case 'secured':
      return [];
    case 'joined':
      return state.carried.wants;
  }
}

function drop(id: number, why?: string): void {
  const connection = connections.get(id);
  if (connection === undefined) return;
  connections.delete(id);
  connection.tls[Symbol.dispose]();
  closeSync(connection.network);
  if (connection.pod !== undefined) closeSync(connection.pod);
  tell({ kind: 'closed', id, ...(why === undefined ? {} : { why }) });
}

function tell(message: FromCarrier): void {
  parentPort?.postMessage(message);
}
