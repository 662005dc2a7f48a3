/**
 * The unit of `podvisor service install` under a systemd that runs: Debian's own, as a manager of its own in a mount
 * namespace in which the machine counts as booted by it. The home is one whose supervisor only starts a "guest".
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cgroupDirectories, cgroupProcesses, instancePaths, removeCgroup, run } from '@podvisor/sys';
import { installService, removeService, type Systemd } from './service.ts';

const MANAGER = '/lib/systemd/systemd';
const UNIT = 'podvisor-unit.service';
const GROUP = `podvisor-test-systemd-${process.pid}`;

describe('a home under systemd', { concurrency: 1, skip: !existsSync(MANAGER) }, () => {
  const work = mkdtempSync(join(tmpdir(), 'systemd-'));
  const home = join(work, 'home');
  const paths = instancePaths(home);
  const environment = { XDG_RUNTIME_DIR: join(work, 'run'), XDG_CONFIG_HOME: join(work, 'config') };
  const systemd: Systemd = {
    directory: join(work, 'config/systemd/user'),
    isRunning: true,
    systemctl: (...args) => run('systemctl', ['--user', ...args], { env: environment }),
  };
  const shown = (property: string): string =>
    execFileSync('systemctl', ['--user', 'show', '-p', property, '--value', UNIT], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    }).trim();
  const until = async <T>(what: string, look: () => T | undefined): Promise<T> => {
    for (const over = Date.now() + 20_000; Date.now() < over; await delay(50)) {
      const found = look();
      if (found !== undefined) return found;
    }
    throw new Error(`${what} did not happen`);
  };
  const pid = (name: string): number | undefined =>
    existsSync(join(home, name)) ? Number(readFileSync(join(home, name), 'utf8')) || undefined : undefined;
  const isAlive = (one: number): boolean => {
    try {
      return process.kill(one, 0);
    } catch {
      return false;
    }
  };
  const groups = readFileSync('/proc/self/cgroup', 'utf8');
  let manager: ChildProcess | undefined;

  before(async () => {
    for (const directory of [environment.XDG_RUNTIME_DIR, systemd.directory, paths.lib, paths.logs])
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(paths.config, JSON.stringify({ name: 'unit' }));
    symlinkSync(process.execPath, join(paths.lib, 'node'));
    // As the real one: it becomes what stands after its first argument.
    writeFileSync(
      join(paths.lib, 'component-exec.mjs'),
      `process.execve(process.argv[3], process.argv.slice(3), process.env);`,
    );
    // Loaded before it in a real home.
    writeFileSync(join(paths.lib, 'trim-when-quiet.mjs'), '');
    writeFileSync(
      join(paths.lib, 'supervisor.mjs'),
      `import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
const home = process.env.PODVISOR_HOME;
writeFileSync(home + '/supervisor', String(process.pid));
if (!existsSync(home + '/guest')) {
  const guest = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  writeFileSync(home + '/guest', String(guest.pid));
  guest.unref();
}
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1000);
`,
    );
    // A manager takes the group that it starts in for its own, with all groups below: in that of the machine it would
    // take the processes of every Pod out of theirs.
    const own = cgroupDirectories('').map((root) => join(root, GROUP));
    for (const directory of own) {
      mkdirSync(directory);
      if (existsSync(join(directory, 'cpuset.mems'))) inheritCpuset(directory);
    }
    const enter = own.map((directory) => `echo $$ > ${directory}/cgroup.procs`).join(' && ');
    const start = `${enter} && mount -t tmpfs none /run/systemd && mkdir /run/systemd/system && exec ${MANAGER} --user`;
    manager = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', start], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    await until('systemd answers', () =>
      existsSync(join(environment.XDG_RUNTIME_DIR, 'systemd/private')) ? true : undefined,
    );
  });
  after(async () => {
    const guest = pid('guest');
    if (guest !== undefined && isAlive(guest)) process.kill(guest, 'SIGKILL');
    if (manager?.exitCode === null) {
      const ended = once(manager, 'exit', { signal: AbortSignal.timeout(10_000) });
      manager.kill('SIGTERM');
      await ended.catch(() => manager?.kill('SIGKILL'));
    }
    for (const left of cgroupProcesses(GROUP)) if (isAlive(left)) process.kill(left, 'SIGKILL');
    await until('its control groups are empty', () => removeCgroup(GROUP) || undefined);
    rmSync(work, { recursive: true, force: true });
  });

  test('install starts it, and it is started again when it is killed; its guest does not notice', async () => {
    await installService(home, systemd);
    const first = await until('the supervisor runs', () => pid('supervisor'));
    const guest = await until('its guest runs', () => pid('guest'));
    assert.equal(shown('MainPID'), String(first));
    assert.equal(shown('UnitFileState'), 'enabled');
    process.kill(first, 'SIGKILL');
    const second = await until('another supervisor', () => {
      const now = pid('supervisor');
      return now === undefined || now === first ? undefined : now;
    });
    assert.equal(shown('NRestarts'), '1');
    assert.ok(isAlive(second) && isAlive(guest));
  });

  test('nobody else of the machine is in another control group than before', () => {
    assert.equal(readFileSync('/proc/self/cgroup', 'utf8'), groups);
  });

  test('stop ends the supervisor alone, and remove takes the unit away', async () => {
    const guest = pid('guest') ?? 0;
    await systemd.systemctl('stop', UNIT);
    assert.equal(shown('ActiveState'), 'inactive');
    assert.ok(isAlive(guest));
    await removeService(home, systemd);
    assert.equal(existsSync(join(systemd.directory, UNIT)), false);
    assert.equal(shown('LoadState'), 'not-found');
  });
});

/** A new group of v1's cpuset takes nobody before it has processors and memory. */
function inheritCpuset(directory: string): void {
  for (const name of ['cpuset.cpus', 'cpuset.mems'])
    writeFileSync(join(directory, name), readFileSync(join(directory, '..', name)));
}
