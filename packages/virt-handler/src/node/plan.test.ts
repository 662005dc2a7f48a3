import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { capabilityLabels } from './labels.ts';
import { planNodePatch } from './plan.ts';

const capabilities = `<capabilities><host><cpu><arch>x86_64</arch></cpu></host>
<guest><os_type>hvm</os_type><arch name='i686'><machine maxCpus='255'>pc-i686</machine></arch></guest>
<guest><os_type>hvm</os_type><arch name='x86_64'><machine maxCpus='288'>pc-q35-7.2</machine><machine canonical='pc-q35-7.2' maxCpus='288'>q35</machine></arch></guest></capabilities>`;
const domainCapabilities = `<domainCapabilities><cpu>
<mode name='host-model' supported='yes'><model fallback='forbid'>EPYC</model><vendor>AMD</vendor>
<feature policy='require' name='acpi'/><feature policy='disable' name='svm'/></mode>
<mode name='custom' supported='yes'><model usable='yes' vendor='Intel'>Penryn</model><model usable='no'>Skylake</model><model usable='yes'>486</model></mode>
</cpu></domainCapabilities>`;

describe('node labels', () => {
  const labels = capabilityLabels({ capabilities, domainCapabilities, obsoleteModels: new Set(['486']) });

  test('from what libvirt says', () => {
    assert.deepEqual(Object.keys(labels).toSorted(), [
      'cpu-feature.node.kubevirt.io/acpi',
      'cpu-model-migration.node.kubevirt.io/EPYC',
      'cpu-model-migration.node.kubevirt.io/Penryn',
      'cpu-model.node.kubevirt.io/Penryn',
      'cpu-vendor.node.kubevirt.io/AMD',
      'host-model-cpu.node.kubevirt.io/EPYC',
      'host-model-required-features.node.kubevirt.io/acpi',
      'machine-type.node.kubevirt.io/pc-q35-7.2',
      'machine-type.node.kubevirt.io/q35',
    ]);
  });

  test('the architecture, where Pods look for it', () => {
    const named = {
      capabilities,
      domainCapabilities,
      obsoleteModels: new Set(['486']),
      namesArchitecture: true,
    };
    const added = Object.keys(capabilityLabels(named)).filter((name) => !(name in labels));
    assert.deepEqual(added, ['kubevirt.io/vm-arch-amd64']);
  });

  test('one patch with what is new and what is stale; none when nothing changed', () => {
    const stale = { 'cpu-model.node.kubevirt.io/Old': 'true', 'kubernetes.io/arch': 'amd64' };
    const wanted = { schedulable: true, capabilityLabels: labels, now: 'T' };
    const patch = planNodePatch({ metadata: { labels: stale } }, wanted, false);
    assert.equal(patch?.metadata.labels['cpu-model.node.kubevirt.io/Old'], null);
    assert.equal(patch?.metadata.labels['kubevirt.io/schedulable'], 'true');
    assert.equal('kubernetes.io/arch' in (patch?.metadata.labels ?? {}), false);
    assert.deepEqual(patch?.metadata.annotations, { 'kubevirt.io/heartbeat': 'T' });
    const done = { ...labels, 'kubevirt.io/schedulable': 'true' };
    assert.equal(planNodePatch({ metadata: { labels: done } }, wanted, false), undefined);
    assert.deepEqual(planNodePatch({ metadata: { labels: done } }, wanted, true)?.metadata.labels, {});
  });

  test('a node that asks to be left alone keeps its labels', () => {
    const node = {
      metadata: {
        labels: { 'kubevirt.io/schedulable': 'true' },
        annotations: { 'node-labeller.kubevirt.io/skip-node': 'true' },
      },
    };
    assert.equal(
      planNodePatch(node, { schedulable: true, capabilityLabels: labels, now: 'T' }, false),
      undefined,
    );
  });
});
