import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const KEPT_BELOW = 4_000;
const MODULE = new URL('./malloc-pages.ts', import.meta.url).href;

/** In a process of its own: others would allocate meanwhile. Every fiftieth block stays, so the end of the heap is never free. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mallocTrimmer } from ${JSON.stringify(MODULE)};
const koffi = createRequire(${JSON.stringify(MODULE)})('koffi');
const libc = koffi.load('libc.so.6');
const calloc = libc.func('uintptr_t calloc(size_t, size_t)');
const free = libc.func('void free(uintptr_t)');
const memset = libc.func('uintptr_t memset(uintptr_t, int, size_t)');
const kilobytes = () => Number(/^RssAnon:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
const trim = mallocTrimmer();
const blocks = Array.from({ length: ${KEPT_BELOW} }, () => memset(calloc(1, 8000), 1, 8000));
blocks.forEach((block, at) => { if (at % 50 !== 49) free(block); });
const before = kilobytes();
trim();
console.log(before - kilobytes());
`;

test('what is free in the middle of the heap goes back', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    encoding: 'utf8',
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  assert.ok(Number(stdout) > 20_000, `${stdout} KiB of 31,000 went back. ${stderr}`);
});
