import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSpans } from './start-spans.ts';

const NOW = 1_800_000_000_000;
const VMI = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'n', name: 'a', uid: 'u' },
  spec: { domain: { devices: {} } },
} as const;
const TIMES = { beganMs: NOW - 100, askedMs: NOW - 90, answeredMs: NOW };

test('a start is what virt-handler did and what the launcher says that it, libvirt and QEMU did', () => {
  const stages = {
    'process-start': NOW - 300,
    'libvirtd-started': NOW - 290,
    'libvirt-connected': NOW - 210,
    ready: NOW - 200,
    'sync-received': NOW - 85,
    'disks-prepared': NOW - 60,
    'domain-defined': NOW - 50,
    'domain-started': NOW - 10.5,
    'domain-running': NOW - 5,
  };
  const spans = startSpans(VMI, TIMES, stages);
  assert.deepEqual(
    spans.map(({ service, name, parent, fromMs, toMs }) => [service, name, parent, NOW - fromMs, NOW - toMs]),
    [
      ['virt-handler', 'set-up-pod', 'network-ready', 100, 90],
      ['virt-handler', 'sync-launcher', 'domain-running', 90, 0],
      ['virt-launcher', 'launcher-process', 'launcher-ready', 300, 200],
      ['libvirt', 'start-libvirtd', 'launcher-process', 290, 210],
      ['virt-launcher', 'start-domain', 'sync-launcher', 85, 5],
      ['virt-launcher', 'prepare-disks', 'start-domain', 85, 60],
      ['libvirt', 'define-domain', 'start-domain', 60, 50],
      ['libvirt', 'start-qemu', 'start-domain', 50, 10.5],
      ['libvirt', 'resume-guest', 'start-domain', 10.5, 5],
    ],
  );
  assert.equal(new Set(spans.map(({ trace }) => trace.traceId)).size, 1);
});

test('of a launcher that says nonsense nothing is taken', () => {
  const nonsense = [Number.NaN, Infinity, -1, 1e300, NOW + 1, 0];
  for (const ms of nonsense) {
    const stages = { 'process-start': ms, ready: ms, 'sync-received': ms, 'domain-running': NOW, other: NOW };
    assert.equal(startSpans(VMI, TIMES, stages).length, 2, String(ms));
  }
  assert.equal(startSpans(VMI, TIMES, Object.create({ 'process-start': NOW, ready: NOW })).length, 2);
});
