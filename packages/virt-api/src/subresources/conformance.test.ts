/** Recorded answers of the real system: code exactly, patches as a set. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { Decision, Lookup, StoredState, SubresourceRequest } from './decision.ts';
import { type Answer, type ExecutionIo, execute } from './execute.ts';
import { expandBody, expandStored } from './expand.ts';
import { matchSubresource } from './routes.ts';

interface RecordedPatch {
  readonly target: string;
  readonly patch: readonly unknown[];
  readonly dryRun: readonly string[] | null;
  readonly injectedError: string | null;
}

interface Case {
  readonly id: string;
  readonly method: string;
  readonly resource: string;
  readonly subresource: string;
  readonly body: unknown;
  readonly state: { readonly vm?: unknown; readonly vmi?: unknown };
  readonly featureGates: readonly string[] | null;
  readonly disabledFeatureGates: readonly string[] | null;
  readonly expect: {
    readonly code: number;
    readonly patches: readonly RecordedPatch[];
    readonly createdMigration?: { readonly spec: unknown };
    readonly status?: { readonly message?: string };
  };
}

/** Objects that the recorded answer depends on and the record does not hold, or verbs that are not built. */
const NOT_COVERED: readonly [pattern: RegExp, why: string][] = [
  [/^memorydump\//, 'memory dumps are not built yet'],
];

const directory = process.env.PODVISOR_CONFORMANCE;
const cases: readonly Case[] =
  directory === undefined
    ? []
    : readFileSync(join(directory, 'subresources.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Case);

test('recorded subresource calls', {
  skip: directory === undefined && 'PODVISOR_CONFORMANCE is not set',
}, async (t) => {
  for (const recorded of cases) {
    const gap = NOT_COVERED.find(
      ([pattern]) => pattern.test(recorded.id) || pattern.test(`${recorded.subresource}/`),
    );
    await t.test(recorded.id, { skip: gap?.[1] }, async () => {
      const calls: RecordedPatch[] = [];
      const answer = await replay(recorded, calls);
      assert.equal(answer.code, recorded.expect.code);
      assert.deepEqual(calls, recorded.expect.patches);
    });
  }
});

async function replay(recorded: Case, calls: RecordedPatch[]): Promise<Answer> {
  const injected = [...recorded.expect.patches].map((patch) => patch.injectedError);
  const io: ExecutionIo = {
    patch: async (target, _key, patch, dryRun) => {
      const injectedError = injected[calls.length] ?? null;
      calls.push(
        JSON.parse(
          JSON.stringify({
            target,
            type: 'application/json-patch+json',
            patch,
            dryRun: dryRun ? ['All'] : null,
            injectedError,
          }),
        ),
      );
      if (injectedError !== null) throw new Error(injectedError);
    },
    createMigration: async (_namespace, spec) => {
      assert.deepEqual(JSON.parse(JSON.stringify(spec)), recorded.expect.createdMigration?.spec);
      if (recorded.expect.code === 500) throw new Error('error creating object');
    },
    callHandler: async () => ({ code: 200 }),
  };
  const request: SubresourceRequest = {
    namespace: 'default',
    name: nameIn(recorded),
    body: recorded.body ?? undefined,
    query: new URLSearchParams(),
    parameters: {},
  };
  try {
    return await answerOf(recorded, request, io);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, body: error.message };
  }
}

async function answerOf(recorded: Case, request: SubresourceRequest, io: ExecutionIo): Promise<Answer> {
  const signal = AbortSignal.timeout(1000);
  if (recorded.subresource === 'expand-spec') {
    return expandStored('test-namespace', 'test-vm', { find: finder(recorded) }, signal);
  }
  if (recorded.subresource === 'expand-vm-spec') {
    return expandBody('test-namespace', recorded.body, { find: finder(recorded) }, signal);
  }
  const method = recorded.method.replace('(ws)', '');
  const match = matchSubresource(recorded.resource, recorded.subresource.split('/')).find(
    ({ route }) => route.method === method,
  );
  assert.ok(match, `no route for ${method} ${recorded.resource}/${recorded.subresource}`);
  const decision: Decision = match.route.decide(request, stateOf(recorded));
  if (decision.kind === 'stream' || decision.kind === 'forward') return { code: 101 };
  return execute(decision, request, io);
}

/** The objects that the recorded calls name; anything called `nonexistent` is not stored. */
function finder(recorded: Case) {
  const stored: Readonly<Record<string, unknown>> = {
    VirtualMachine: recorded.state.vm,
    VirtualMachineInstancetype: { spec: { cpu: { guest: 1 }, memory: { guest: '128Mi' } } },
    VirtualMachineClusterInstancetype: { spec: { cpu: { guest: 1 }, memory: { guest: '128Mi' } } },
    VirtualMachinePreference: { spec: {} },
    VirtualMachineClusterPreference: { spec: {} },
  };
  return (async (resource: { kind: string }, key: { name: string }) =>
    key.name.startsWith('nonexistent') ? undefined : stored[resource.kind]) as never;
}

function stateOf(recorded: Case): StoredState {
  const developerConfiguration = {
    featureGates: recorded.featureGates ?? [],
    disabledFeatureGates: recorded.disabledFeatureGates ?? [],
  };
  return {
    vm: lookupOf<VirtualMachine>(recorded.state.vm),
    vmi: lookupOf<VirtualMachineInstance>(recorded.state.vmi),
    config: clusterConfig({ spec: { configuration: { developerConfiguration } } }),
  };
}

function lookupOf<T>(state: unknown): Lookup<T> {
  if (state === undefined || state === 'NotFound') return { kind: 'absent' };
  if (typeof state === 'string') return { kind: 'failed', message: state.replace(/^error: /, '') };
  return { kind: 'found', object: state as T };
}

function nameIn({ resource, expect }: Case): string {
  const quoted = expect.status?.message?.match(/"([^"]+)"/)?.[1];
  return quoted ?? (resource === 'virtualmachines' ? 'testvm' : 'testvmi');
}
