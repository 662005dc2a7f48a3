/** The API server under test: a process that is killed, stopped and started again on the same store and port. */
import { systemClock } from '@podvisor/base';
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createCa, issueCertificate } from '@podvisor/kube';
import type { Access } from './api-client.ts';
import type { ServerSettings } from './server-main.ts';

/** Small, so that the log is compacted in seconds and who naps meets forgotten history; all others keep up. */
const HISTORY = { ringLimit: 1500, compactEvery: 1000 };

export class ServerProcess implements AsyncDisposable {
  readonly access: Access;
  readonly #settings: string;
  readonly #program: string;
  #child: ChildProcess | undefined;
  #isEnding = false;
  readonly #onExit = (): void => {
    this.#isEnding = true;
    this.signal('SIGKILL');
  };

  /** `directory` gets the settings, `storeDirectory` the store. */
  constructor(
    directory: string,
    storeDirectory: string,
    port: number,
    history: ServerSettings['history'] = HISTORY,
  ) {
    const now = systemClock.now();
    const ca = createCa({ commonName: 'test-ca', now });
    const serving = issueCertificate(ca, {
      commonName: 'api',
      usages: ['server'],
      names: ['127.0.0.1'],
      now,
    });
    const admin = issueCertificate(ca, {
      commonName: 'admin',
      organizations: ['system:masters'],
      usages: ['client'],
      now,
    });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const settings: ServerSettings = {
      storePath: join(storeDirectory, 'store.db'),
      host: '127.0.0.1',
      port,
      tls: { cert: serving.certificate, key: serving.key, clientCa: ca.certificate },
      frontProxy: { clientCert: admin.certificate, clientKey: admin.key, ca: ca.certificate },
      serviceAccountKeys: { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
      history,
    };
    this.#program = join(directory, 'server.mjs');
    this.#settings = join(directory, 'settings.json');
    writeFileSync(this.#settings, JSON.stringify(settings), { mode: 0o600 });
    process.once('exit', this.#onExit);
    this.access = { port, ca: ca.certificate, certificate: admin.certificate, key: admin.key };
  }

  /** Puts the program into one file, so that it is back in an instant, and starts it. */
  async buildAndStart(): Promise<void> {
    await build({
      entryPoints: [join(import.meta.dirname, 'server-main.ts')],
      outfile: this.#program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    await this.start();
  }

  /** Resolves when it serves. It is started anew whenever it ends, as the supervisor does. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#program, this.#settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const ended = once(child, 'exit');
    void ended.then(() => {
      if (!this.#isEnding) return this.start();
      return undefined;
    });
    await Promise.race([once(child.stdout, 'data'), ended]);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#onExit);
    this.#isEnding = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
