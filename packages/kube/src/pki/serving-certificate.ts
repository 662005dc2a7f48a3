/** The certificate that a listener shows, from files that whoever renews it replaces. */
import { readFileSync, watch } from 'node:fs';
import type { Server } from 'node:https';
import { join } from 'node:path';
import { messageOf } from '@podvisor/base';
import type { Log } from '../log.ts';

export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

/** `server.crt` and `server.key` of a directory. */
export function readServingCertificate(tlsDir: string): ServingCertificate {
  const read = (name: string): string => readFileSync(join(tlsDir, name), 'utf8');
  return { cert: read('server.crt'), key: read('server.key') };
}

/** New connections are shown what is in the directory then. Disposing ends it. */
export function followServingCertificate(server: Server, tlsDir: string, log: Log): Disposable {
  // Two files are written; the event of the second brings us here again.
  const watcher = watch(tlsDir, { persistent: false }, () => {
    try {
      server.setSecureContext(readServingCertificate(tlsDir));
    } catch (error) {
      log.info({ error: messageOf(error) }, 'the certificate cannot be read yet, the old one stays');
    }
  });
  return { [Symbol.dispose]: () => watcher.close() };
}
