import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annotations,
  clusterConfig,
  HIBERNATION_VOLUME_TYPE,
  hibernatedStateText,
  NODE_NAME_EXTRA,
  type StateKeyAnswer,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { User } from '../access/front-proxy.ts';
import { stateKey } from './state-key.ts';

const MASTER = Buffer.alloc(32, 1);
const ID = '0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab';
const OTHER = '1d8d1f7c-7a5e-4b9e-9d6e-0123456789ab';
const HANDLER = 'system:serviceaccount:kubevirt:kubevirt-handler';

const handlerOf = (...nodes: readonly string[]): User => ({
  name: HANDLER,
  groups: ['system:serviceaccounts'],
  extra: nodes.length === 0 ? {} : { [NODE_NAME_EXTRA]: nodes },
});

/** On node-1; `wakes`: from that state, else it is written to one of its own. */
const guest = (uid: string, namespace: string, wakes?: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    uid,
    namespace,
    name: 'guest',
    ...(wakes === undefined
      ? {}
      : {
          annotations: {
            [annotations.hibernatedState]: hibernatedStateText({ claimName: 'c', id: wakes, isWhole: true }),
          },
        }),
  },
  spec: {
    domain: { devices: {} },
    ...(wakes === undefined
      ? { utilityVolumes: [{ name: 'h', claimName: 'c', type: HIBERNATION_VOLUME_TYPE }] }
      : {}),
  },
  status: { nodeName: 'node-1' },
});

function ask(
  vmi: VirtualMachineInstance,
  { user = handlerOf('node-1'), masterKey = MASTER }: { user?: User; masterKey?: Buffer | 'none' } = {},
): string | undefined {
  const request = { namespace: 'shop', name: 'guest', body: undefined, query: new URLSearchParams() };
  const decision = stateKey(
    { ...request, parameters: {}, user },
    {
      vm: { kind: 'absent' },
      vmi: { kind: 'found', object: vmi },
      config: clusterConfig(),
      stateKeys: { handler: HANDLER, ...(masterKey === 'none' ? {} : { masterKey }) },
    },
  );
  assert.equal(decision.kind, 'answer');
  return (decision as { readonly body: StateKeyAnswer }).body.stateKey;
}

test('who wakes gets the key of who was saved; nobody else does', () => {
  const saved = ask(guest(ID, 'shop'));
  assert.equal(Buffer.from(saved ?? '', 'base64').length, 32);
  assert.equal(ask(guest(OTHER, 'shop', ID)), saved);
  assert.notEqual(ask(guest(OTHER, 'shop', OTHER)), saved);
  assert.notEqual(ask(guest(OTHER, 'bank', ID)), saved);
  assert.notEqual(ask(guest(ID, 'shop'), { masterKey: Buffer.alloc(32, 2) }), saved);
});

test('a state that was written when virt-handlers had the installation’s key has the same key', () => {
  assert.equal(ask(guest(ID, 'shop')), '80ZGkU1PA7Nj55MfBcjdZxffYn2GrPcB0HCZutxxUqQ=');
});

test('the virt-handler of the node that the guest is on gets it, and nobody else', () => {
  const vmi = guest(ID, 'shop');
  const refused: readonly (readonly [string, User])[] = [
    ['another node', handlerOf('node-2')],
    ['a credential without a node', handlerOf()],
    ['one that names two', handlerOf('node-1', 'node-2')],
    ['an administrator', { name: 'kubernetes-admin', groups: ['system:masters'], extra: {} }],
    ['a user who says that he is on the node', { ...handlerOf('node-1'), name: 'anna' }],
    ['virt-controller', { ...handlerOf('node-1'), name: HANDLER.replace('handler', 'controller') }],
  ];
  for (const [who, user] of refused) assert.throws(() => ask(vmi, { user }), { code: 403 }, who);
  // Not handed over yet: no node has it.
  assert.throws(() => ask({ ...vmi, status: {} }), { code: 403 });
  assert.throws(() => ask({ ...vmi, status: { nodeName: '' } }, { user: handlerOf('') }), { code: 403 });
});

test('a guest that neither sleeps nor wakes has no key; without a key of the installation nobody has', () => {
  const vmi = guest(ID, 'shop');
  assert.equal(ask({ ...vmi, spec: { domain: { devices: {} } } }), undefined);
  assert.equal(ask(vmi, { masterKey: 'none' }), undefined);
});
