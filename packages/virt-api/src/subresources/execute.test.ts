/** How failures of what a decider decided are told: by KubeVirt's codes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { ANYBODY } from '../testing/anybody.ts';
import type { PatchCall, SubresourceRequest } from './decision.ts';
import { execute, type ExecutionIo, type FiniteDecision } from './execute.ts';

const request: SubresourceRequest = {
  namespace: 'shop',
  name: 'web',
  body: undefined,
  query: new URLSearchParams(),
  user: ANYBODY,
  parameters: {},
};
const call: PatchCall = { target: 'virtualmachine', patch: [], failure: { kind: 'conflict' } };
const patch: FiniteDecision = { kind: 'patch', code: 202, dryRun: false, patches: [call] };
const vmi = { metadata: { name: 'web' }, status: { phase: 'Scheduled' } };
const command = {
  kind: 'handler',
  method: 'PUT',
  vmi,
  path: 'reset',
  dryRun: false,
} as unknown as FiniteDecision;

/** An API and a node whose every answer is this error. */
function failing(error: Error): ExecutionIo {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { patch: fail, createMigration: fail, callHandler: fail };
}

const notApplied = 'the server rejected our request due to an error in our request';
const denied = 'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: no';
const outrun = 'Operation cannot be fulfilled on virtualmachine.kubevirt.io "web": ';
const internal = 'Internal error occurred: ';

const cases: readonly (readonly [string, FiniteDecision, Error, number, string])[] = [
  ['a test of the patch fails', patch, new StatusError('Invalid', notApplied), 409, outrun + notApplied],
  ['somebody else was faster', patch, new StatusError('Conflict', 'modified'), 409, `${outrun}modified`],
  ['a webhook refuses the patch', patch, new StatusError('Invalid', denied), 500, internal + denied],
  ['it is forbidden', patch, new StatusError('Forbidden', 'no'), 500, `${internal}no`],
  [
    'a webhook refuses the migration',
    { kind: 'migrate', vmiName: 'web', dryRun: false },
    new StatusError('Invalid', denied),
    500,
    internal + denied,
  ],
  ['the node fails', command, new Error('no answer'), 500, `${internal}no answer`],
  ['the node can never do it', command, new StatusError('Invalid', 'gone'), 422, 'gone'],
];

for (const [name, decision, error, code, message] of cases)
  test(name, async () => {
    const told = await execute(decision, request, failing(error)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(told instanceof StatusError);
    assert.deepEqual([told.code, told.message], [code, message]);
  });

test('a node that fails says for which guest, where the decider put that in words', async () => {
  const decision = {
    ...command,
    failure: 'Failed to reset non-running VMI with phase Scheduled',
  } as FiniteDecision;
  await assert.rejects(execute(decision, request, failing(new Error('no domain'))), {
    message: `${internal}Failed to reset non-running VMI with phase Scheduled: no domain`,
  });
});
