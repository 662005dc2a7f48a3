import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPodvisor } from '../podvisor/supervisor/program.ts';
import { buildProgram } from '../program.ts';
import { testShell } from '../testing/test-shell.ts';
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
for (const [line, expected] of CASES)
  test(`completion of "virtctl ${line}"`, () => {
    assert.deepEqual(completionRequest(program, line.split(' ')), expected);
  });

const podvisor = buildPodvisor('');
const HOME_CASES: readonly (readonly [string, CompletionRequest])[] = [
  ['node ', { kind: 'words', words: ['list', 'cut', 'kill', 'heal'] }],
  ['node cut ', objects('node')],
  ['logs ', objects('component')],
  ['logs --vm ', objects('vm')],
  ['image remove ', objects('image')],
  ['image build mine --progress ', { kind: 'words', words: ['auto', 'json', 'none'] }],
  ['user remove ', objects('user')],
  ['user add anna -n ', objects('namespace')],
  ['up ', { kind: 'files' }],
];
for (const [line, expected] of HOME_CASES)
  test(`completion of "podvisor ${line}"`, () => {
    assert.deepEqual(completionRequest(podvisor, line.split(' ')), expected);
  });

test('a VM is run from a distribution by its name', () => {
  const request = completionRequest(podvisor, ['run', '']);
  assert.ok(request.kind === 'words' && request.words.includes('debian'));
});

test('flags of a command and the usual ones of all', () => {
  const request = completionRequest(program, ['stop', '--']);
  assert.ok(request.kind === 'words');
  for (const flag of ['--force', '--grace-period', '--wait', '--namespace'])
    assert.ok(request.words.includes(flag), flag);
});
