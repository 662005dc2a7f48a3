import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessCredential, DomainState, VirtualMachineInstance } from '@podvisor/api';
import { credentialsEvent, withAgentConditions } from './agent-conditions.ts';

const NOW = '2026-01-01T00:00:00Z';
const BASIC = [
  ...['guest-ping', 'guest-get-time', 'guest-info', 'guest-shutdown', 'guest-network-get-interfaces'],
  ...['guest-get-fsinfo', 'guest-get-host-name', 'guest-get-users', 'guest-get-timezone', 'guest-get-osinfo'],
];
const keys: AccessCredential = {
  sshPublicKey: {
    source: { secret: { secretName: 's' } },
    propagationMethod: { qemuGuestAgent: { users: ['root'] } },
  },
};

function vmi(accessCredentials: readonly AccessCredential[] = []): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {},
    spec: { domain: { devices: {} }, accessCredentials },
  };
}

function domain(facts: Partial<DomainState>): DomainState {
  return {
    name: '',
    uuid: '',
    vmiUid: '',
    state: 'Running',
    reason: 'Unknown',
    diskTargets: {},
    interfaces: [],
    agentConnected: true,
    ...facts,
  };
}

const shown = (object: VirtualMachineInstance, facts: Partial<DomainState>): unknown[] =>
  withAgentConditions([], object, domain(facts), NOW).map(({ type, status, reason, message }) => [
    type,
    status,
    reason ?? message,
  ]);

for (const [what, object, facts, expected] of [
  ['nothing known yet', vmi(), {}, [['AgentConnected', 'True', undefined]]],
  ['no agent', vmi(), { agentConnected: false, agentVersion: '1.0' }, []],
  ['all basic commands', vmi(), { agentCommands: BASIC }, [['AgentConnected', 'True', undefined]]],
  [
    'a basic command is missing',
    vmi(),
    { agentCommands: BASIC.slice(1) },
    [
      ['AgentConnected', 'True', undefined],
      ['AgentVersionNotSupported', 'True', "This guest agent doesn't support required basic commands"],
    ],
  ],
  [
    'keys are wanted',
    vmi([keys]),
    { agentCommands: BASIC },
    [
      ['AgentConnected', 'True', undefined],
      ['AgentVersionNotSupported', 'True', "This guest agent doesn't support required public key commands"],
    ],
  ],
  [
    'an old version without a list',
    vmi(),
    { agentVersion: '1.5' },
    [
      ['AgentConnected', 'True', undefined],
      ['AgentVersionNotSupported', 'True', "Guest agent version '1.5' is not supported"],
    ],
  ],
  [
    'keys could not be set',
    vmi([keys]),
    { accessCredentials: { succeeded: false, message: 'no such user' } },
    [
      ['AgentConnected', 'True', undefined],
      ['AccessCredentialsSynchronized', 'False', 'no such user'],
    ],
  ],
] as const)
  test(`conditions: ${what}`, () => assert.deepEqual(shown(object, facts), expected));

test('the result of credentials is told when it changes', () => {
  const at = (succeeded: boolean) =>
    withAgentConditions([], vmi([keys]), domain({ accessCredentials: { succeeded } }), NOW);
  assert.equal(credentialsEvent(undefined, at(true))?.reason, 'AccessCredentialsSyncSuccess');
  assert.equal(credentialsEvent(at(true), at(false))?.reason, 'AccessCredentialsSyncFailed');
  assert.equal(credentialsEvent(at(true), at(true)), undefined);
});
