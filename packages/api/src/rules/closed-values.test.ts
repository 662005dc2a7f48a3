import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedValueProblems, closedValueRefusal } from './closed-values.ts';

const vmi = (fields: object): object => ({ spec: { domain: { devices: {} }, ...fields } });

test('values that Kubernetes knows are no problem, nor is their absence', () => {
  assert.deepEqual(closedValueProblems('VirtualMachineInstance', vmi({})), []);
  const tolerations = [{ operator: 'Exists', effect: 'NoExecute' }, {}];
  const known = vmi({ dnsPolicy: 'None', tolerations });
  assert.deepEqual(closedValueProblems('VirtualMachineInstance', known), []);
  assert.equal(closedValueRefusal('VirtualMachineInstance', known), undefined);
});

test('an unknown DNS policy is one problem, in the words of a schema', () => {
  const words = 'spec.dnsPolicy in body should be one of [ClusterFirst ClusterFirstWithHostNet Default None]';
  const unknown = vmi({ dnsPolicy: 'bogus' });
  assert.deepEqual(closedValueProblems('VirtualMachineInstance', unknown), [words]);
  const refusal = closedValueRefusal('VirtualMachineInstance', unknown);
  assert.deepEqual([refusal?.allowed, refusal?.code, refusal?.causes], [false, 422, []]);
});

test('lists are looked through, and have no index in the words', () => {
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'Is', values: ['a'] }] }];
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
  const [problem = '', ...more] = closedValueProblems('VirtualMachineInstanceReplicaSet', {
    spec: { template: vmi({ affinity }) },
  });
  assert.match(
    problem,
    /^spec\.template\.spec\.affinity\..*nodeSelectorTerms\.matchFields\.operator in body/,
  );
  assert.deepEqual(more, []);
});

test('claims of DataVolume templates have known access and volume modes', () => {
  const dataVolumeTemplates = [
    { spec: { pvc: { accessModes: ['ReadWriteOnce', 'Often'] }, storage: { volumeMode: 'Tape' } } },
  ];
  const problems = closedValueProblems('VirtualMachine', { spec: { dataVolumeTemplates } });
  assert.deepEqual(
    problems.map((words) => words.replace(/ in body.*/, '')),
    ['spec.dataVolumeTemplates.spec.pvc.accessModes', 'spec.dataVolumeTemplates.spec.storage.volumeMode'],
  );
});

test('the KubeVirt object has known pull policies and tolerations', () => {
  const nodePlacement = { tolerations: [{ effect: 'Never' }] };
  const spec = {
    imagePullPolicy: 'Sometimes',
    configuration: { imagePullPolicy: 'Always' },
    infra: { nodePlacement },
  };
  assert.deepEqual(closedValueProblems('KubeVirt', { spec }), [
    'spec.imagePullPolicy in body should be one of [Always IfNotPresent Never]',
    'spec.infra.nodePlacement.tolerations.effect in body should be one of [NoExecute NoSchedule PreferNoSchedule]',
  ]);
});

test('metadata of templates has the fields and types of metadata', () => {
  const words = (metadata: unknown) =>
    closedValueProblems('VirtualMachine', { spec: { template: { metadata, spec: {} } } });
  const field = 'spec.template.metadata';
  const good = {
    name: 'a',
    labels: { a: 'b' },
    annotations: { c: '' },
    creationTimestamp: null,
    finalizers: ['x'],
    generation: 1,
    ownerReferences: [{}],
  };
  assert.deepEqual(words(good), []);
  assert.deepEqual(words(undefined), []);
  assert.deepEqual(words({ lables: { a: 'b' } }), [`${field}.lables in body is a forbidden property`]);
  assert.deepEqual(words({ labels: { a: 5, b: true } }), [
    `${field}.labels.a in body must be of type string: "number"`,
    `${field}.labels.b in body must be of type string: "boolean"`,
  ]);
  assert.deepEqual(words({ annotations: [], name: 2, generation: 'x' }), [
    `${field}.annotations in body must be of type object: "array"`,
    `${field}.name in body must be of type string: "number"`,
    `${field}.generation in body must be of type integer: "string"`,
  ]);
  assert.deepEqual(words({ finalizers: [1] }), [
    `${field}.finalizers in body must be of type string: "number"`,
  ]);
  assert.deepEqual(
    closedValueProblems('VirtualMachine', { spec: { dataVolumeTemplates: [{ metadata: { name: 1 } }] } }),
    ['spec.dataVolumeTemplates.metadata.name in body must be of type string: "number"'],
  );
});
