import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { convertedPart } from './podvisor/images/disk-image.ts';
import { barText, counting, Progress, type ProgressMode, progressOption } from './progress.ts';

const MIB = 1024 * 1024;

test('bytes, part, rate and time left', () => {
  assert.equal(
    barText(16 * MIB, 64 * MIB, 4000),
    '16.0 MiB / 64.0 MiB [=======>                      ] 25 % 4.0 MiB/s 12 s',
  );
  assert.match(barText(0, 0, 0), /\[={30}\] 100 %/);
  assert.equal(barText(2 * MIB, undefined, 1000), '2.0 MiB 2.0 MiB/s');
});

function told(mode: ProgressMode, isTTY: boolean): string {
  const out = Object.assign(new PassThrough(), { isTTY });
  let now = 0;
  const progress = new Progress({ what: 'upload', mode, out, now: () => now });
  for (const second of [1, 2, 3, 4]) {
    now = second * 1000;
    progress.at(second * MIB, 4 * MIB);
  }
  progress.end();
  return String(out.read() ?? '');
}

test('a bar on a terminal, silence elsewhere', () => {
  assert.equal(told('auto', true).split('\r').length, 6);
  assert.match(told('auto', true), /100 % 1\.0 MiB\/s 0 s\u001b\[K\n$/);
  assert.equal(told('auto', false), '');
  assert.equal(told('none', true), '');
});

test('lines for programs', () => {
  const lines = told('json', false)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  assert.equal(lines.length, 5);
  assert.deepEqual(lines[1], {
    progress: 'upload',
    bytes: 2 * MIB,
    totalBytes: 4 * MIB,
    bytesPerSecond: MIB,
    secondsLeft: 2,
    done: false,
  });
  assert.equal((lines.at(-1) as { done: boolean }).done, true);
});

test('what ended before there was a figure is told to programs, and to nobody who watches', () => {
  const tell = (mode: ProgressMode): string => {
    const out = Object.assign(new PassThrough(), { isTTY: true });
    new Progress({ what: 'migration', mode, out, now: () => 0 }).all(2 * MIB);
    return String(out.read() ?? '');
  };
  assert.match(
    tell('json'),
    /^\{"progress":"migration","bytes":2097152,"totalBytes":2097152,.*"done":true\}\n$/,
  );
  assert.equal(tell('auto'), '');
});

test('all bytes pass', async () => {
  const progress = new Progress({ what: 'x', mode: 'auto', out: new PassThrough(), now: () => 0 });
  assert.equal(await text(Readable.from(['ab', 'c']).pipe(counting(progress, 3))), 'abc');
});

test('a mode that is not there', () => {
  assert.throws(() => progressOption().parseArg?.('loud', 'auto'), /use auto, json, none/);
});

test('a bar is taken away for a line, and nothing is written where nobody watches', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const bar = new Progress({ what: 'x', mode: 'auto', out: terminal, now: () => 0 });
  bar.clear();
  assert.equal(String(terminal.read()), '\r\u001b[K');
  assert.equal(bar.isShown, true);
  const file = new PassThrough();
  const quiet = new Progress({ what: 'x', mode: 'auto', out: file, now: () => 0 });
  quiet.at(1, 2);
  quiet.clear();
  quiet.end();
  assert.equal(file.read(), null);
});

test('what qemu-img says of how far it is', () => {
  assert.equal(convertedPart('    (0.00/100%)\r    (12.50/100%)\r'), 0.125);
  assert.equal(convertedPart('something else'), undefined);
});
