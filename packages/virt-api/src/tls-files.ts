/**
 * Certificates in a directory, reloaded when they change. A set that cannot be read (half written, or a key
 * that does not fit) is reported and the last good one stays in use.
 */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';

/** PEM texts. */
export interface TlsFiles {
  readonly serverCert: string;
  readonly serverKey: string;
  readonly clientCert: string;
  readonly clientKey: string;
  readonly ca: string;
}

export async function readTlsFiles(directory: string): Promise<TlsFiles> {
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  const [serverCert, serverKey, clientCert, clientKey, ca] = await Promise.all(
    ['server.crt', 'server.key', 'client.crt', 'client.key', 'ca.crt'].map(read),
  );
  const files = {
    serverCert: serverCert ?? '',
    serverKey: serverKey ?? '',
    clientCert: clientCert ?? '',
    clientKey: clientKey ?? '',
    ca: ca ?? '',
  };
  // Throws when a certificate and its key are not a pair.
  createSecureContext({ cert: files.serverCert, key: files.serverKey });
  createSecureContext({ cert: files.clientCert, key: files.clientKey, ca: files.ca });
  return files;
}

/** Renewals write several files: they are read together, this long after the first of them. */
const TOGETHER_MS = 200;

/** Calls `onChange` with every new readable set until the signal ends it. */
export function watchTlsFiles(
  directory: string,
  onChange: (files: TlsFiles) => void,
  log: Log,
  signal: AbortSignal,
): void {
  let timer: NodeJS.Timeout | undefined;
  const reload = (): void => {
    timer = undefined;
    readTlsFiles(directory).then(onChange, (error: unknown) => {
      log.warn({ directory, error: messageOf(error) }, 'certificates cannot be read, keeping the old ones');
    });
  };
  const watcher = watch(directory, { persistent: false, signal }, () => {
    // Later ones do not put it off: a new CA must be known before others show what it has signed.
    timer ??= setTimeout(reload, TOGETHER_MS).unref();
  });
  watcher.on('error', (error) => {
    if (!signal.aborted)
      log.warn({ directory, error: error.message }, 'certificates are not watched any more');
  });
}
