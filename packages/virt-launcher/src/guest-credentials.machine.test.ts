/** Keys and passwords reach a real guest through its agent, and follow their secrets while it runs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootGuest } from './testing/boot-guest.ts';
import { mountData } from './testing/guest-vmi.ts';
import { UID } from './testing/launcher-process.ts';

/** Prints the keys and the hash of the password whenever they change. */
const WATCH = `
  (while :; do
    echo "keys $(sort /root/.ssh/authorized_keys 2>/dev/null | awk '{print $3}' | xargs)"
    echo "hash $(awk -F: '$1 == "root" { print $2 }' /etc/shadow)"
    usleep 300000
  done | awk '{ if (seen[$1] != $0) { seen[$1] = $0; print "now:", $0; fflush() } }') &`;

/** As the kubelet does it: a new version beside the old one, then one rename. */
function swap(directory: string, files: Readonly<Record<string, string>>): void {
  const version = `..${Date.now()}`;
  mkdirSync(join(directory, version));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, version, name), content);
    chownSync(join(directory, version, name), UID, UID);
  }
  symlinkSync(version, join(directory, '..data_tmp'));
  renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
  for (const name of Object.keys(files))
    if (!readdirSync(directory).includes(name)) symlinkSync(join('..data', name), join(directory, name));
}

const hashOf = (password: string, hash: string): string =>
  execFileSync('openssl', ['passwd', '-6', '-salt', hash.split('$')[2] ?? '', password], {
    encoding: 'utf8',
  }).trim();

test('access credentials by the guest agent', { timeout: 200_000 }, async () => {
  const keyDir = mkdtempSync('/tmp/pv-keys-');
  const publicKey = (name: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(keyDir, name)]);
    return readFileSync(join(keyDir, `${name}.pub`), 'utf8');
  };
  try {
    const secret = (directory: string, name: string): string =>
      join(directory, 'p/secret', `${name}-access-cred`);
    await using guest = await bootGuest(
      {
        kernelBoot: true,
        script: WATCH,
        accessCredentials: [
          {
            sshPublicKey: {
              source: { secret: { secretName: 'keys' } },
              propagationMethod: { qemuGuestAgent: { users: ['root'] } },
            },
          },
          {
            userPassword: {
              source: { secret: { secretName: 'passwords' } },
              propagationMethod: { qemuGuestAgent: {} },
            },
          },
        ],
      },
      {
        prepare: (directory) => {
          mountData(secret(directory, 'keys'), { one: publicKey('ann@home') });
          mountData(secret(directory, 'passwords'), { root: 'first-secret' });
        },
      },
    );
    const { launcher, says, said } = guest;
    const wearsPassword = async (password: string): Promise<void> => {
      await says(/now: hash \$6\$[^\n]+\n/);
      const hash = [...said().matchAll(/now: hash (\S+)\n/g)].at(-1)?.[1] ?? '';
      assert.equal(hashOf(password, hash), hash);
    };
    await says('now: keys ann@home');
    await wearsPassword('first-secret');
    await launcher.state((state) => state?.accessCredentials?.succeeded === true, 'the report');

    swap(secret(launcher.directory, 'keys'), { one: publicKey('bob@home'), two: publicKey('cid@home') });
    // Links of new keys appear one by one: which one the guest hears of first is chance.
    await says(/now: keys (bob@home cid@home|cid@home bob@home)/);
    swap(secret(launcher.directory, 'passwords'), { root: 'first-secret', nobody: 'x' });
    const failed = await launcher.state(
      (state) => state?.accessCredentials?.succeeded === false,
      'a user who is not there',
    );
    assert.match(failed?.accessCredentials?.message ?? '', /^password of user nobody: /);
  } finally {
    rmSync(keyDir, { recursive: true });
  }
});
