/** Recorded subresource calls: code exactly, patches as a list, the migration that was made. */
import {
  clusterConfig,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type {
  Decision,
  Lookup,
  StoredState,
  SubresourceRequest,
} from '../../../packages/virt-api/src/subresources/decision.ts';
import {
  type Answer,
  type ExecutionIo,
  execute,
} from '../../../packages/virt-api/src/subresources/execute.ts';
import { expandBody, expandStored } from '../../../packages/virt-api/src/subresources/expand.ts';
import { matchSubresource } from '../../../packages/virt-api/src/subresources/routes.ts';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';

interface RecordedPatch {
  readonly target: string;
  readonly patch: readonly unknown[];
  readonly dryRun: readonly string[] | null;
  readonly injectedError: string | null;
}

interface SubresourceRecord {
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

/** What the answer did to the cluster. */
interface Calls {
  readonly patches: RecordedPatch[];
  readonly migrations: unknown[];
}

export const subresources = subject<SubresourceRecord>('subresources', /^subresources\.jsonl$/, {
  load: jsonLines,
  check: async (recorded) => {
    const calls: Calls = { patches: [], migrations: [] };
    const { code } = await replay(recorded, calls);
    const { createdMigration } = recorded.expect;
    return [
      ...differences(recorded.expect.code, code, 'code'),
      ...differences(recorded.expect.patches, calls.patches, 'patches'),
      ...(createdMigration === undefined
        ? []
        : differences([createdMigration.spec], calls.migrations, 'migrations')),
    ];
  },
});

async function replay(recorded: SubresourceRecord, calls: Calls): Promise<Answer> {
  const injected = [...recorded.expect.patches].map((patch) => patch.injectedError);
  const io: ExecutionIo = {
    patch: async (target, _key, patch, dryRun) => {
      const injectedError = injected[calls.patches.length] ?? null;
      calls.patches.push(
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
      calls.migrations.push(JSON.parse(JSON.stringify(spec)));
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

async function answerOf(
  recorded: SubresourceRecord,
  request: SubresourceRequest,
  io: ExecutionIo,
): Promise<Answer> {
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
  if (match === undefined)
    throw new Error(`no route for ${method} ${recorded.resource}/${recorded.subresource}`);
  const decision: Decision = match.route.decide(request, stateOf(recorded));
  if (decision.kind === 'stream' || decision.kind === 'forward') return { code: 101 };
  return execute(decision, request, io);
}

/** Objects of the recorded cluster: the VM, and any instancetype or preference that is not called nonexistent. */
function finder(recorded: SubresourceRecord): never {
  const find = async (
    resource: { readonly kind: string },
    key: { readonly name: string },
  ): Promise<unknown> => {
    if (resource.kind === 'VirtualMachine') return recorded.state.vm;
    if (key.name.startsWith('nonexistent')) return undefined;
    const isPreference = resource.kind.endsWith('Preference');
    return {
      metadata: { name: key.name },
      spec: isPreference ? {} : { cpu: { guest: 2 }, memory: { guest: '128M' } },
    };
  };
  return find as never;
}

function stateOf(recorded: SubresourceRecord): StoredState {
  const developerConfiguration = {
    featureGates: recorded.featureGates ?? [],
    disabledFeatureGates: recorded.disabledFeatureGates ?? [],
  };
  return {
    vm: lookupOf<VirtualMachine>(recorded.state.vm),
    vmi: lookupOf<VirtualMachineInstance>(recorded.state.vmi),
    claim: claimOf(recorded.id),
    config: clusterConfig({ spec: { configuration: { developerConfiguration } } }),
  };
}

/** The claim of a memory dump: a good one, unless the name of the recorded test says what is wrong with it. */
function claimOf(id: string): Lookup<PersistentVolumeClaim> {
  if (/non-?exist|not-found|no-pvc|doesnt-exist|without-pvc|missing-pvc/.test(id)) return { kind: 'absent' };
  return {
    kind: 'found',
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'testPVC', namespace: 'default' },
      spec: {
        accessModes: [id.includes('read-only') ? 'ReadOnlyMany' : 'ReadWriteOnce'],
        volumeMode: id.includes('block') ? 'Block' : 'Filesystem',
        resources: { requests: { storage: /too-small|size/.test(id) ? '1Gi' : '2Gi' } },
      },
    },
  };
}

function lookupOf<T>(state: unknown): Lookup<T> {
  if (state === undefined || state === 'NotFound') return { kind: 'absent' };
  if (typeof state === 'string') return { kind: 'failed', message: state.replace(/^error: /, '') };
  return { kind: 'found', object: state as T };
}

function nameIn({ resource, expect }: SubresourceRecord): string {
  const quoted = expect.status?.message?.match(/"([^"]+)"/)?.[1];
  return quoted ?? (resource === 'virtualmachines' ? 'testvm' : 'testvmi');
}
