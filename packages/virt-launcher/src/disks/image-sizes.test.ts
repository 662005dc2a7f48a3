import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Domain } from '@podvisor/translate';
import { fitImages, imageBytes } from './image-sizes.ts';

test('images of the target get the sizes that the guest knows; discs and other disks are left alone', (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'images-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const disk = (name: string, file: string, device: 'disk' | 'cdrom' = 'disk') => {
    writeFileSync(join(directory, file), 'x'.repeat(100));
    return {
      type: 'file',
      device,
      alias: { name: `ua-${name}` },
      source: { file: join(directory, file) },
    } as const;
  };
  const domain: Domain = {
    devices: {
      disks: [
        disk('grown', 'grown.iso'),
        disk('shrunk', 'shrunk.iso'),
        disk('disc', 'disc.iso', 'cdrom'),
        disk('root', 'disk.qcow2'),
      ],
    },
  };
  assert.deepEqual(imageBytes(domain), { grown: 100, shrunk: 100, disc: 100 });
  const sizes = { grown: 60, shrunk: 300, disc: 7, root: 7 };
  const volumeStatus = Object.entries(sizes).map(([name, size]) => ({ name, target: '', size }));
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    spec: { domain: { devices: {} } },
    status: { volumeStatus },
  };
  fitImages(domain, vmi);
  assert.deepEqual(imageBytes(domain), { grown: 60, shrunk: 300, disc: 100 });
  assert.equal(readFileSync(join(directory, 'disk.qcow2')).length, 100);
  fitImages(domain, { ...vmi, status: {} });
  assert.equal(imageBytes({ devices: { disks: [] } }), undefined);
});
