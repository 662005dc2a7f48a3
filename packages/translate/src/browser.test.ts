/** The package runs in a browser: bundled for one, and run where nothing of Node is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';

test('bundled for browsers, it renders a Pod and a domain without anything of Node', async () => {
  const entry = `
    import { clusterConfig } from '@podvisor/api';
    import { convertVmiToDomain, domainToXml, domainFromXml, renderLauncherPod } from './index.ts';
    const vmi = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance',
      metadata: { name: 'web', namespace: 'shop', uid: 'u' },
      spec: { domain: { memory: { guest: '1Gi' }, devices: { disks: [{ name: 'a', disk: { bus: 'virtio' } }] } },
        volumes: [{ name: 'a', emptyDisk: { capacity: '1Gi' } }] } };
    const xml = domainToXml(convertVmiToDomain(vmi, { kvmAvailable: true, allowEmulation: false, interfaces: [] }));
    const pod = renderLauncherPod(vmi, { launcherImage: 'l', config: clusterConfig() });
    globalThis.result = JSON.stringify({ xml, name: domainFromXml(xml).name, pod: pod.metadata.generateName });
  `;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    // Named by a part of `api` that nothing here uses; it must not be in the bundle.
    external: ['@grpc/grpc-js'],
    format: 'iife',
    logLevel: 'silent',
  });
  assert.doesNotMatch(outputFiles[0]?.text ?? '', /grpc-js|require\(/);
  // A page of its own: the language, and the few things that every browser has.
  const page = createContext({ TextEncoder, TextDecoder, URL });
  new Script(outputFiles[0]?.text ?? '').runInContext(page);
  const result = JSON.parse(String(page['result'])) as Record<string, string>;
  assert.match(result['xml'] ?? '', /^<domain type='kvm'>/);
  assert.equal(result['name'], 'shop_web');
  assert.equal(result['pod'], 'virt-launcher-web-');
});
