/** Recorded subresource calls, put to virt-api's own server of subresources: code, message, patches, migration. */
import type { KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { type Caller, Subresources } from '../../../packages/virt-api/src/subresources/serve.ts';
import type { Assumed } from '../assumed.ts';
import { differences } from '../differences.ts';
import { messageDifferences } from '../messages.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { RecordedCluster, type Write } from './recorded-cluster.ts';
import { recordedConfig } from './recorded-webhooks.ts';

/** An object, `NotFound`, or the error of reading it. */
type RecordedState = KubernetesObject | string;

interface Input {
  readonly method: string;
  readonly resource: string;
  readonly path: string;
  readonly body: unknown;
  readonly state: { readonly vm?: RecordedState; readonly vmi?: RecordedState };
  readonly featureGates: readonly string[] | null;
  readonly disabledFeatureGates: readonly string[] | null;
}

interface Expected {
  readonly expect: {
    readonly code: number;
    readonly patches: readonly unknown[];
    readonly createdMigration?: { readonly spec: unknown };
    readonly status?: { readonly message?: string };
  };
}

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly writes: readonly Write[];
}

export const subresources = subject<Input, Expected, Answer>('subresources', /^subresources\.jsonl$/, {
  load: jsonCases<Input, Expected>(
    {
      method: 'input',
      resource: 'input',
      path: 'input',
      body: 'input',
      state: 'input',
      featureGates: 'input',
      disabledFeatureGates: 'input',
      expect: 'expected',
    },
    // Which call fails stands among the expected patches; `assumptions.ts` says it.
    ['test', 'subresource', 'mockFailure'],
  ),
  answer: replay,
  compare: ({ expect: { code, patches, createdMigration, status } }, answer) => [
    ...differences(code, answer.code, 'code'),
    ...(status?.message === undefined ? [] : messageDifferences(status.message, answer.message)),
    ...differences(patches, answer.writes.filter(({ kind }) => kind in TARGETS).map(asPatch), 'patches'),
    ...(createdMigration === undefined
      ? []
      : differences([createdMigration.spec], answer.writes.filter(isMigration).map(specOf), 'migrations')),
  ],
});

/** Kinds that are patched, as the recording names them. */
const TARGETS: Readonly<Record<string, string>> = {
  VirtualMachine: 'virtualmachine',
  VirtualMachineInstance: 'virtualmachineinstance',
};

function asPatch({ kind, subresource, body, dryRun, failure }: Write): unknown {
  return {
    target: subresource === undefined ? TARGETS[kind] : `${TARGETS[kind]}/${subresource}`,
    type: 'application/json-patch+json',
    patch: JSON.parse(JSON.stringify(body)),
    dryRun: dryRun ? ['All'] : null,
    injectedError: failure,
  };
}

function isMigration({ kind }: Write): boolean {
  return kind === 'VirtualMachineInstanceMigration';
}

function specOf({ body }: Write): unknown {
  return JSON.parse(JSON.stringify(body)).spec;
}

async function replay(input: Input, assumed: Assumed): Promise<Answer> {
  const { vm, vmi } = input.state;
  const cluster = new RecordedCluster({
    byKind: {
      ...(isObject(vm) && { VirtualMachine: vm }),
      ...(isObject(vmi) && { VirtualMachineInstance: vmi }),
      ...(isError(vm) && { VirtualMachine: readError(vm) }),
      ...(isError(vmi) && { VirtualMachineInstance: readError(vmi) }),
    },
    objects: assumed.objects,
    failingWrites: assumed.failingWrites,
  });
  const featureGates = input.featureGates ?? [];
  const disabledFeatureGates = input.disabledFeatureGates ?? [];
  const config = recordedConfig({
    configuration: { developerConfiguration: { featureGates, disabledFeatureGates } },
  });
  const server = new Subresources({
    client: cluster,
    config: () => config,
    handlers: {
      call: async () => ({ code: 200, contentType: '', body: Buffer.alloc(0) }),
      dial: async () => unexpectedStream(),
    },
  });
  const { code, message } = await ask(server, input);
  return { code, message, writes: cluster.writes };
}

async function ask(
  server: Subresources,
  input: Input,
): Promise<{ readonly code: number; readonly message: string }> {
  const signal = new AbortController().signal;
  const isStream = input.method.endsWith('(ws)');
  const caller: Caller = {
    method: input.method.replace('(ws)', ''),
    url: new URL(pathOf(input), 'https://server'),
    user: () => ({ name: 'somebody', groups: [], extra: {} }),
  };
  try {
    if (isStream) {
      await server.stream(caller, {} as never, signal);
      return unexpectedStream();
    }
    const answer = await server.answer(caller, async () => input.body ?? undefined, signal);
    return answer === undefined ? { code: 404, message: '' } : { code: answer.code, message: '' };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Of streams, only refusals are recorded. */
function unexpectedStream(): never {
  throw new Error('a stream was opened');
}

/** The path with the names of the objects that it is about. */
function pathOf({ path, resource, state: { vm, vmi } }: Input): string {
  const [object, name] = resource === 'virtualmachines' ? [vm, 'testvm'] : [vmi, 'testvmi'];
  const { metadata } = isObject(object) ? object : {};
  // The recorded tests of this one work in a namespace of their own.
  const namespace = path.endsWith('/expand-vm-spec') ? 'test-namespace' : 'default';
  return path
    .replace('{namespace}', metadata?.namespace ?? namespace)
    .replace('{name}', metadata?.name ?? name);
}

const ERROR = /^error: /;
function isObject(state: RecordedState | undefined): state is KubernetesObject {
  return typeof state === 'object';
}
function isError(state: RecordedState | undefined): state is string {
  return typeof state === 'string' && ERROR.test(state);
}
function readError(state: string): Error {
  return new Error(state.replace(ERROR, ''));
}
