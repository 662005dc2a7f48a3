import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { kvmFacts, startProcess } from '@podvisor/sys';
import { capabilityLabels } from './labels.ts';
import { probeLibvirt } from './libvirt-probe.ts';
import { readAnswer } from './node-answer.ts';

test('asks the real libvirt and leaves a cache that the next start uses', { timeout: 60_000 }, async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  try {
    const options = { kvmUsable: kvmFacts().usable, cacheDir };
    const signal = AbortSignal.timeout(50_000);
    const began = performance.now();
    const result = await probeLibvirt(options, signal);
    const coldMs = performance.now() - began;
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
    assert.ok(ms < coldMs, `a warm cache should spare the probing: ${ms} ms after ${coldMs} ms`);
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
});

test('ask-node leaves the answer for virt-handler, and the cache for launchers', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-ask-'));
  const answer = join(directory, 'answer.json');
  try {
    const program = join(import.meta.dirname, 'ask-node-main.ts');
    const args = [program, `--answer=${answer}`, `--capabilities-cache-dir=${directory}/cache`];
    const asker = await startProcess(process.execPath, args);
    assert.equal((await asker.exited).code, 0);
    const labels = capabilityLabels({ ...(await readAnswer(answer)), obsoleteModels: new Set() });
    assert.equal(labels['machine-type.node.kubevirt.io/q35'], 'true');
    assert.ok(readdirSync(join(directory, 'cache/libvirt/qemu/cache/capabilities')).length > 0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Until `look` finds something. */
async function found<T>(what: string, look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 3_000; tries++) {
    const result = look();
    if (result !== undefined) return result;
    await sleep(10);
  }
  throw new Error(`not in 30 s: ${what}`);
}

/** Processes that have this word in their environment. */
function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(word);
      } catch {
        return false; // ended, or not ours to see
      }
    });
}

test('who is killed while it asks leaves no libvirtd, and its directory goes with the next who asks', async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  const options = { kvmUsable: kvmFacts().usable, cacheDir };
  const module = JSON.stringify(join(import.meta.dirname, 'libvirt-probe.ts'));
  const script = `import(${module}).then((m) => m.probeLibvirt(${JSON.stringify(options)}, AbortSignal.timeout(60000)))`;
  const asker = await startProcess(process.execPath, ['-e', script]);
  try {
    const name = await found('a directory of its own', () =>
      readdirSync(tmpdir()).find((entry) => entry.startsWith(`podvisor-probe-${asker.pid}-`)),
    );
    const directory = join(tmpdir(), name);
    await found('a libvirtd', () =>
      processesWith(`XDG_RUNTIME_DIR=${directory}`).find(
        (pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'libvirtd\n',
      ),
    );
    asker.kill('SIGKILL');
    await asker.exited;
    await found('the end of libvirtd', () =>
      processesWith(`XDG_RUNTIME_DIR=${directory}`).length === 0 ? true : undefined,
    );
    await probeLibvirt(options, AbortSignal.timeout(50_000));
    assert.ok(!existsSync(directory));
  } finally {
    asker.kill('SIGKILL');
    rmSync(cacheDir, { recursive: true, force: true });
  }
});
