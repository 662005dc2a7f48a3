import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ownFileRanges, pageReleaser, unchangedFileRanges } from './program-pages.ts';

const mapping = (head: string, rss: number, anonymous: number): string =>
  `${head}\nSize:               2048 kB\nRss:                ${rss} kB\nPss:                  10 kB\nAnonymous:          ${anonymous} kB\nAnonHugePages:         0 kB\nVmFlags: rd ex mr mw me\n`;

test('only pages of files that were never changed are let go', () => {
  const smaps = [
    mapping('00400000-00600000 r-xp 00000000 fe:00 77 /lib/node', 1024, 0),
    mapping('00600000-00700000 r--p 00200000 fe:00 77 /lib/node', 512, 0),
    mapping('00700000-00800000 r--p 00300000 fe:00 77 /lib/relocated.so', 512, 4),
    mapping('00800000-00900000 rw-p 00400000 fe:00 77 /lib/node', 512, 0),
    mapping('00900000-00a00000 r--s 00000000 fe:00 78 /lib/shared', 512, 0),
    mapping('00a00000-00b00000 r-xp 00000000 fe:00 79 /lib/not-here.so', 0, 0),
    mapping('00b00000-00c00000 r--p 00000000 00:00 0', 512, 0),
    mapping('7fff0000-7fff1000 r-xp 00000000 00:00 0 [vdso]', 4, 0),
    '00c00000-00d00000 r-xp 00000000 fe:00 80 /lib/unknown.so\nRss:   4 kB',
  ].join('\n');
  assert.deepEqual(unchangedFileRanges(smaps), [
    { start: 0x400000n, length: 0x200000n },
    { start: 0x600000n, length: 0x100000n },
  ]);
});

test('a process goes on without them, and has fewer', () => {
  const fileKilobytes = (): number =>
    Number(/^RssFile:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  const releasePages = pageReleaser();
  const ranges = ownFileRanges();
  const before = fileKilobytes();
  releasePages(ranges);
  const after = fileKilobytes();
  assert.ok(after < before, `${after} of ${before} KiB`);
  // What was let go comes back: a module that was not loaded yet runs compiled code of Node.
  assert.match(
    process.getBuiltinModule('node:crypto').createHash('sha256').update('a').digest('hex'),
    /^ca97/,
  );
});
