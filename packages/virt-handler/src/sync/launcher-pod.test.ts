import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { Journal } from '../ghost-records/journal.ts';
import { POD_UID, VMI_UID, vmiOf } from '../testing/objects.ts';
import { launcherPodUid, speaksFor } from './launcher-pod.ts';

const directory = mkdtempSync(join(tmpdir(), 'pvl-'));
after(() => rmSync(directory, { recursive: true }));
const journal = new Journal(directory);
const vmi = vmiOf({ phase: 'Running' });

function launcher(changes: Partial<Pod['metadata']> = {}): Pod {
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: VMI_UID };
  return {
    metadata: {
      namespace: 'shop',
      name: 'virt-launcher-web',
      uid: POD_UID,
      labels: { 'kubevirt.io/created-by': VMI_UID },
      ownerReferences: [{ ...owner, controller: true }],
      ...changes,
    },
    spec: { containers: [] },
  };
}
const viewOf = (pod: Pod | undefined, nodeName = 'n1') => ({
  caches: { podByUid: (uid: string) => (uid === POD_UID ? pod : undefined) },
  journal,
  nodeName,
});

test('the Pod that virt-controller wrote down, and that says the same of itself, runs the guest', () => {
  assert.equal(launcherPodUid(vmi, viewOf(launcher())), POD_UID);
  assert.equal(speaksFor(POD_UID, vmi, viewOf(launcher())), true);
  assert.equal(launcherPodUid(vmi, viewOf(undefined)), POD_UID, 'the cache may be late');
  assert.equal(speaksFor(POD_UID, vmi, viewOf(undefined)), false);
});

test('CVE-2026-13208: a Pod of another namespace, owner or node neither runs the guest nor speaks for it', () => {
  for (const view of [
    viewOf(launcher({ namespace: 'bank' })),
    viewOf(launcher({ ownerReferences: [] })),
    viewOf(launcher({ labels: {} })),
    viewOf(launcher(), 'n2'),
  ]) {
    assert.equal(launcherPodUid(vmi, view), undefined);
    assert.equal(speaksFor(POD_UID, vmi, view), false);
  }
});

test('what is no UID is no Pod', () => {
  for (const uid of ['/', '..', POD_UID.slice(0, 5), `../${POD_UID}`]) {
    const forged = vmiOf({ activePods: { [uid]: 'n1' } });
    assert.equal(launcherPodUid(forged, viewOf(launcher())), undefined, uid);
  }
});
