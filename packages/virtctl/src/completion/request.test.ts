import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildProgram } from '../program.ts';
import { testShell } from '../testing/test-shell.ts';
import { completionScript } from './scripts.ts';
import { type CompletionRequest, completionRequest } from './request.ts';

const program = buildProgram(testShell());
const objects = (of: Extract<CompletionRequest, { kind: 'objects' }>['of']): CompletionRequest => ({
  kind: 'objects',
  of,
});

const CASES: readonly (readonly [string, CompletionRequest])[] = [
  ['start ', objects('vm')],
  ['console ', objects('vmi')],
  ['ssh joe@', objects('target')],
  ['pause ', { kind: 'words', words: ['vm', 'vmi'] }],
  ['pause vmi ', objects('vmi')],
  ['expose vmirs ', objects('vmirs')],
  ['-n ', objects('namespace')],
  ['-n blue start ', objects('vm')],
  ['start -n ', objects('namespace')],
  ['why ', objects('target')],
  ['top -o ', { kind: 'words', words: ['table', 'wide', 'json', 'yaml', 'name'] }],
  [
    'top --output=',
    { kind: 'words', words: ['table', 'wide', 'json', 'yaml', 'name'].map((word) => `--output=${word}`) },
  ],
  ['create ', { kind: 'words', words: ['vm', 'instancetype', 'preference', 'clone'] }],
  ['create vm --instancetype ', objects('instancetype')],
  ['create vm --name x --preference ', objects('preference')],
  ['addvolume vm --volume-name ', objects('claim')],
  ['memory-dump get vm --claim-name ', objects('claim')],
  ['image-upload pvc ', objects('claim')],
  ['vnc ', objects('vmi')],
  ['completion ', { kind: 'words', words: ['bash', 'zsh', 'fish'] }],
];
for (const [line, wish] of CASES)
  test(`completion of "virtctl ${line}"`, () => {
    assert.deepEqual(completionRequest(program, line.split(' ')), wish);
  });

test('flags of a command and the usual ones of all', () => {
  const wish = completionRequest(program, ['stop', '--']);
  assert.ok(wish.kind === 'words');
  for (const flag of ['--force', '--grace-period', '--wait', '--namespace'])
    assert.ok(wish.words.includes(flag), flag);
});

test('no script for a shell that we do not know', () => {
  assert.match(completionScript('bash'), /complete -o default -F _virtctl virtctl/);
  assert.throws(() => completionScript('csh'), /there is no completion for "csh"/);
});
