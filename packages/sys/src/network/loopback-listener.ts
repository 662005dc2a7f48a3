/**
 * Who listens on a port of the loopback. Any user of a machine may take a port that is free, also one at which a program
 * of ours listens when it runs: whoever sends it a secret asks here first.
 */
import { readFileSync } from 'node:fs';

/** proc_net_tcp(5), TCP_LISTEN. */
const LISTENING = '0A';
const LOOPBACK = '0100007F';

/** The user, as this process sees users, who listens on 127.0.0.1 and no other address; undefined: nobody does. */
export function loopbackListener(
  port: number,
  table = readFileSync('/proc/net/tcp', 'utf8'),
): number | undefined {
  const wanted = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const [, local, , state, , , , uid] = line.trim().split(/\s+/);
    if (local === wanted && state === LISTENING) return Number(uid);
  }
  return undefined;
}
