/** A real libvirtd in session mode for machine tests: its own directories, an unprivileged user. */
import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** `nobody`: has the passwd entry that libvirt needs, and no rights. */
const UID = 65534;

export interface SessionLibvirtd extends AsyncDisposable {
  readonly directory: string;
  /** The user it runs as. */
  readonly uid: number;
  readonly socketPath: string;
}

export async function startSessionLibvirtd(): Promise<SessionLibvirtd> {
  const directory = mkdtempSync('/tmp/lv-');
  const config = join(directory, 'libvirtd.conf');
  for (const name of ['', 'r', 'c', 'c/libvirt', 'k', 'd'])
    mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(config, 'log_outputs = "3:stderr"\n');
  writeFileSync(join(directory, 'c/libvirt/qemu.conf'), 'stdio_handler = "file"\n');
  for (const name of ['', 'r', 'c', 'c/libvirt', 'k', 'd']) chownSync(join(directory, name), UID, UID);
  const child = spawn(
    'setpriv',
    // tini reaps QEMU; without that libvirt waits for a zombie.
    [
      `--reuid=${UID}`,
      `--regid=${UID}`,
      '--clear-groups',
      'tini',
      '-s',
      '--',
      '/usr/sbin/libvirtd',
      '-f',
      config,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        XDG_RUNTIME_DIR: join(directory, 'r'),
        XDG_CONFIG_HOME: join(directory, 'c'),
        XDG_CACHE_HOME: join(directory, 'k'),
        XDG_DATA_HOME: join(directory, 'd'),
      },
      stdio: 'ignore',
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const socketPath = join(directory, 'r/libvirt/libvirt-sock');
  // The socket is there a moment before anybody listens on it.
  for (let i = 0; !(await answers(socketPath)); i++) {
    if (i > 1_000 || child.exitCode !== null) throw new Error('libvirtd did not come up');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    directory,
    uid: UID,
    socketPath,
    [Symbol.asyncDispose]: async () => {
      const run = join(directory, 'r/libvirt/qemu/run');
      for (const name of existsSync(run) ? readdirSync(run) : [])
        if (name.endsWith('.pid') && name !== 'driver.pid')
          kill(Number(readFileSync(join(run, name), 'utf8')));
      child.kill('SIGTERM');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
