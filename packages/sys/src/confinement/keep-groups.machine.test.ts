/** Needs user namespaces: in one that was made without privileges nobody can leave his groups. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../processes/run.ts';

const LEAVE = ['/usr/bin/setpriv', '--clear-groups', '/bin/sh', '-c', 'grep ^Groups: /proc/self/status'];
/** As a container's user with a Pod's fsGroup. */
const asPod = (...words: readonly string[]): Promise<{ readonly stdout: string }> =>
  run('/usr/bin/setpriv', [
    ...['--reuid=107', '--regid=107', '--groups=107', '--bounding-set=-all', '--no-new-privs', '--'],
    ...['/usr/bin/unshare', '--user', '--map-root-user', ...words],
  ]);

test('what a program without rights cannot do, leaving its groups, ends it; with keep-groups-exec it goes on with them', async () => {
  await assert.rejects(asPod(...LEAVE), /setgroups|Operation not permitted/);
  const program = join(import.meta.dirname, 'keep-groups-exec-main.ts');
  const { stdout } = await asPod(process.execPath, program, ...LEAVE);
  assert.match(stdout, /^Groups:\t0 $/m, 'group 107 of the Pod, which is 0 in the namespace');
});
