import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SystemCallError } from '../libc.ts';
import { O_PATH, openBeneath, openDirectory } from './open-beneath.ts';
import { pidfdOpen } from '../processes/pidfd.ts';
import { peerCredentials } from '../network/socket-options.ts';

let root: string;
before(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-open-'));
  mkdirSync(join(root, 'in/deep'), { recursive: true });
  writeFileSync(join(root, 'in/deep/file'), 'inside');
  writeFileSync(join(root, 'secret'), 'outside');
  symlinkSync('deep/file', join(root, 'in/link'));
  symlinkSync('/deep/file', join(root, 'in/absolute'));
  symlinkSync('../secret', join(root, 'in/escape'));
  symlinkSync('/proc/self/fd/0', join(root, 'in/magic'));
});
after(() => rmSync(root, { recursive: true, force: true }));

const code = (path: string, symlinks?: 'in-root'): string => {
  try {
    openBeneath(join(root, 'in'), path, { symlinks }).close();
    return 'opened';
  } catch (error) {
    return error instanceof SystemCallError ? error.code : String(error);
  }
};

describe('openBeneath', () => {
  test('opens what is there, by path or handle, and creates', () => {
    using directory = openDirectory(join(root, 'in'));
    using file = openBeneath(directory, 'deep/file');
    assert.equal(readFileSync(file.fd, 'utf8'), 'inside');
    openBeneath(directory, 'new', {
      flags: constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
    }).close();
    assert.equal(code('new'), 'opened');
  });

  test('no way out, and no link at all', () => {
    const cases = [
      ['../secret', 'EXDEV'],
      ['deep/../../secret', 'EXDEV'],
      ['link', 'ELOOP'],
      ['escape', 'ELOOP'],
      ['magic', 'ELOOP'],
      ['nothing', 'ENOENT'],
    ];
    for (const [path = '', expected] of cases) assert.equal(code(path), expected, path);
  });

  test('as root directory: links stay inside', () => {
    using file = openBeneath(join(root, 'in'), 'absolute', { symlinks: 'in-root' });
    assert.equal(readlinkSync(file.procPath), join(root, 'in/deep/file'));
    assert.equal(code('escape', 'in-root'), 'ENOENT');
    assert.notEqual(code('magic', 'in-root'), 'opened');
  });

  test('a closed handle cannot be used', () => {
    const file = openBeneath(join(root, 'in'), 'deep/file');
    file.close();
    file.close();
    assert.throws(() => file.fd, /closed/);
  });
});

test('credentials of the listener, also through a handle on its socket', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(join(root, 'sock'), resolve));
  using handle = openBeneath(root, 'sock', { flags: O_PATH });
  const client = createConnection(handle.procPath);
  await new Promise((resolve) => client.once('connect', resolve));
  assert.deepEqual(peerCredentials(client), {
    pid: process.pid,
    uid: process.getuid?.(),
    gid: process.getgid?.(),
  });
  client.destroy();
  server.close();
});

test('a handle on a process', () => {
  using self = pidfdOpen(process.pid);
  assert.ok(self.fd > 0);
  assert.throws(
    () => pidfdOpen(2 ** 22 + 1),
    (error) => error instanceof SystemCallError && ['ESRCH', 'EINVAL'].includes(error.code),
  );
});

test('a pipe that a tenant put there keeps nobody waiting', () => {
  execFileSync('mkfifo', [join(root, 'in/pipe')]);
  const open = (flags: number): string => {
    const program = `import { openBeneath } from ${JSON.stringify(join(import.meta.dirname, 'open-beneath.ts'))};
      try { openBeneath(${JSON.stringify(join(root, 'in'))}, 'pipe', { flags: ${flags} }); console.log('opened'); }
      catch (error) { console.log(error.code); }`;
    // In a process of its own: it would wait in the kernel, and no timer of this one would run.
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    return signal ?? stdout.toString().trim();
  };
  assert.equal(open(constants.O_RDONLY), 'opened');
  assert.equal(open(constants.O_WRONLY | constants.O_CREAT), 'ENXIO');
});
