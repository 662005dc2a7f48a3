import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagesFailure } from './debian-layers.ts';
import { parseContents, parseShown } from './debian-packages.ts';

test('what dpkg-deb shows of packages, sorted; a package without a source is its own', () => {
  assert.deepEqual(
    parseShown(
      'zlib1g\t1:1.2.13.dfsg-1\tamd64\tzlib\thttp://zlib.net/\ndash\t0.5.12-2\tamd64\t\t\nlibaio1\t0.3\tamd64\tlibaio (0.2)\t\n',
    ),
    [
      { name: 'dash', version: '0.5.12-2', architecture: 'amd64', source: 'dash' },
      { name: 'libaio1', version: '0.3', architecture: 'amd64', source: 'libaio (0.2)' },
      {
        name: 'zlib1g',
        version: '1:1.2.13.dfsg-1',
        architecture: 'amd64',
        source: 'zlib',
        homepage: 'http://zlib.net/',
      },
    ],
  );
});

test('files and links of a package, as they are below /usr; directories are others’ too', () => {
  assert.deepEqual(
    parseContents(`drwxr-xr-x root/root         0 2023-01-05 22:35 ./
drwxr-xr-x root/root         0 2023-01-05 22:35 ./bin/
-rwxr-xr-x root/root    125640 2023-01-05 22:35 ./bin/dash
lrwxrwxrwx root/root         0 2023-01-05 22:35 ./bin/sh -> dash
hrwxr-xr-x root/root         0 2023-01-05 22:35 ./usr/bin/perl5 link to ./usr/bin/perl
-rw-r--r-- root/root      1391 2023-01-05 22:35 ./usr/share/a file
`),
    ['usr/bin/dash', 'usr/bin/sh', 'usr/bin/perl5', 'usr/share/a file'],
  );
});

test('a mirror that does not answer is told with the way out', () => {
  const said = packagesFailure(`I: running apt-get update...
Err:1 http://mirror.invalid bookworm InRelease
W: Failed to fetch http://mirror.invalid/dists/bookworm/InRelease  Could not resolve 'mirror.invalid'
E: apt-get update failed`);
  assert.match(said, /Could not resolve 'mirror.invalid'/);
  assert.match(said, /--mirror URL/);
});
