import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PreparedMachine, prepareMachine } from './prepare-machine.ts';

function machineWith(facts: Partial<PreparedMachine>, failing: readonly string[] = []) {
  const done: string[] = [];
  const machine: PreparedMachine = {
    hasAppArmor: false,
    filtersBridges: true,
    start: async (program, args, { input = '' } = {}) => {
      if (failing.includes(program)) throw new Error(`${program} is not there`);
      const profiles = String(input).match(/^profile \S+/gm) ?? [];
      done.push([program, ...args, ...profiles].join(' '));
    },
    write: (path, text) => void done.push(`${path} = ${text}`),
    ...facts,
  };
  return { machine, done };
}

test('a machine that has all is left as it is', async () => {
  const { machine, done } = machineWith({});
  assert.deepEqual(await prepareMachine(machine), []);
  assert.deepEqual(done, []);
});

test('the module for policies between Pods of one node is loaded, and changes no bridge of others', async () => {
  const { machine, done } = machineWith({ filtersBridges: false });
  assert.deepEqual(await prepareMachine(machine), []);
  assert.deepEqual(done, [
    'modprobe br_netfilter',
    '/proc/sys/net/bridge/bridge-nf-call-iptables = 0',
    '/proc/sys/net/bridge/bridge-nf-call-ip6tables = 0',
    '/proc/sys/net/bridge/bridge-nf-call-arptables = 0',
  ]);
});

test('where AppArmor is on, all profiles are loaded', async () => {
  const { machine, done } = machineWith({ hasAppArmor: true });
  assert.deepEqual(await prepareMachine(machine), []);
  assert.deepEqual(done, [
    'apparmor_parser --replace --skip-cache profile podvisor-default profile podvisor-launcher profile podvisor-launcher-sandbox',
  ]);
});

test('what cannot be brought is told, and the rest is done', async () => {
  const both = { hasAppArmor: true, filtersBridges: false };
  const { machine, done } = machineWith(both, ['modprobe']);
  const [sentence = '', ...others] = await prepareMachine(machine);
  assert.match(sentence, /^NetworkPolicies do not hold .*br_netfilter.*modprobe is not there/);
  assert.deepEqual([others.length, done.length], [0, 1]);
  const second = machineWith(both, ['apparmor_parser']);
  assert.match((await prepareMachine(second.machine)).join('\n'), /^containers run without AppArmor/);
  assert.equal(second.done.length, 4);
});
