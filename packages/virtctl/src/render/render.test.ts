/** Manifests → what `virtctl render` prints; the whole output of two of them is in `test/golden/render`. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocuments } from './documents.ts';
import { hostOf } from './host.ts';
import { inputOf } from './input.ts';
import { type OutputOptions, outputOf } from './output.ts';
import { type Rendering, renderVmi } from './render.ts';
import { asRestarted, restartDiff } from './restart-diff.ts';
import { toVmi } from './to-vmi.ts';

const golden = new URL('../../../../test/golden/render/', import.meta.url);
const update = process.env['PODVISOR_UPDATE_GOLDEN'] === '1';

function rendered(
  text: string,
  options: { readonly architecture?: string; readonly kvm?: boolean } = {},
): Rendering {
  const input = inputOf(parseDocuments(text, 'vm.yaml'));
  const host = hostOf(input.kubevirt, { kvm: true, ...options });
  let count = 0;
  const newUuid = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  const vmi = toVmi(input, host.config, { now: '2026-11-15T00:00:00Z', newUuid });
  return renderVmi(vmi, host, input.claims, input.subject.where);
}

function same(name: string, rendering: Rendering, options: OutputOptions): void {
  const text = outputOf(rendering, options);
  const file = new URL(name, golden);
  if (update) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
}

const read = (name: string): string => readFileSync(new URL(name, golden), 'utf8');
const vm = read('vm-with-instancetype.yaml');
const vmi = read('vmi.yaml');

test('a VM with its instancetype and preference, explained', () => {
  same('vm-with-instancetype.explained.txt', rendered(vm), { format: 'all', explain: true });
});

test('a VMI on an arm64 host without KVM', () => {
  same('vmi.arm64.txt', rendered(vmi, { architecture: 'arm64', kvm: false }), {
    format: 'all',
    explain: false,
  });
});

test('each format is one thing', () => {
  const rendering = rendered(vmi);
  const show = (format: OutputOptions['format']): string => outputOf(rendering, { format, explain: false });
  assert.match(show('xml'), /^<domain type='kvm'[ >]/);
  assert.match(show('pod'), /^apiVersion: v1\nkind: Pod\n/);
  assert.match(show('vmi'), /^apiVersion: kubevirt.io\/v1\nkind: VirtualMachineInstance\n/);
  assert.deepEqual(Object.keys(JSON.parse(show('json'))), ['vmi', 'pod', 'xml']);
});

test('the KubeVirt object among the manifests is the configuration', () => {
  const kubevirt =
    'apiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\nspec: {configuration: {cpuModel: Haswell}}';
  assert.match(rendered(`${vmi}\n---\n${kubevirt}`).xml, /<model>Haswell<\/model>/);
});

test('a block PVC beside the VMI makes a block disk', () => {
  const claim =
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {volumeMode: Block, accessModes: [ReadWriteMany]}';
  assert.match(rendered(vmi).xml, /vmi-disks\/data\/disk\.img/);
  assert.match(rendered(`${vmi}\n---\n${claim}`).xml, /<source dev='\/dev\/data'/);
});

const refusals: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  [
    'no machine',
    'apiVersion: v1\nkind: Pod',
    /^vm\.yaml: holds no VirtualMachine or VirtualMachineInstance, only Pod$/,
  ],
  [
    'two machines',
    `${vmi}\n---\n${vmi}`,
    /^vm\.yaml, document 2: is a second machine after vm\.yaml, document 1/,
  ],
  ['an unknown field', vmi.replace('disks:', 'discs:'), /^vm\.yaml: field spec\.domain\.devices\.discs /],
  [
    'a rule that is broken',
    vmi.replace('name: data, disk', 'name: datum, disk'),
    /^vm\.yaml: field spec\.domain\.devices\.disks\[1\]\.name: /,
  ],
  [
    'a missing instancetype',
    vm.split('---')[0] ?? '',
    /field spec\.instancetype: there is no VirtualMachineClusterInstancetype "small"; give its file/,
  ],
  [
    'a conflict',
    vm.replace('domain:', 'domain:\n        cpu: {cores: 3}'),
    /field spec\.template\.spec\.domain\.cpu\.cores: .*conflicts/,
  ],
];
for (const [what, text, message] of refusals) {
  test(`${what} is refused with file and field`, () => {
    assert.throws(() => rendered(text), { name: 'InputError', message });
  });
}

test('what a restart would change', () => {
  const running = rendered(vmi);
  const next = rendered(vmi.replace('guest: 128Mi', 'guest: 256Mi'));
  const restarted = { ...next, vmi: asRestarted(next.vmi, running.vmi) };
  const there = { pod: running.pod, domain: { xml: running.xml, definedXml: running.xml } };
  assert.equal(restartDiff(there, running, running), 'A restart would change nothing.\n');
  const diff = restartDiff(there, running, restarted);
  assert.match(
    diff,
    /^- {2}<memory unit='b'>134217728<\/memory>\n\+ {2}<memory unit='b'>268435456<\/memory>$/m,
  );
  assert.match(diff, /^# launcher Pod: running \(-\) and after a restart \(\+\)$/m);
});
