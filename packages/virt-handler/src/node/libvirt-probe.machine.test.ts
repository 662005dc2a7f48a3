import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kvmFacts } from '@podvisor/sys';
import { capabilityLabels } from './labels.ts';
import { probeLibvirt } from './libvirt-probe.ts';

test('asks the real libvirt and leaves a cache that the next start uses', { timeout: 60_000 }, async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  try {
    const options = { kvmUsable: kvmFacts().usable, cacheDir };
    const signal = AbortSignal.timeout(50_000);
    const result = await probeLibvirt(options, signal);
    const labels = capabilityLabels({ ...result, obsoleteModels: new Set() });
    assert.equal(labels['machine-type.node.kubevirt.io/q35'], 'true');
    assert.ok(Object.keys(labels).some((key) => key.startsWith('cpu-model.node.kubevirt.io/')));
    const files = join(cacheDir, 'libvirt/qemu/cache/capabilities');
    const before = readdirSync(files).map((file) => [file, statSync(join(files, file)).mode & 0o777]);
    assert.ok(before.length > 0 && before.every(([, mode]) => mode === 0o644), JSON.stringify(before));
    const started = performance.now();
    const again = await probeLibvirt(options, signal);
    const ms = performance.now() - started;
    assert.deepEqual(capabilityLabels({ ...again, obsoleteModels: new Set() }), labels);
    assert.ok(ms < 1500, `a warm cache should spare the probing, but the second start took ${ms} ms`);
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
});
