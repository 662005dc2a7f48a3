import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMBEDDED_IMAGE_GRANT, EMBEDDED_LAUNCHER_IMAGE } from '@podvisor/sys';
import { container, testPod } from '../testing/observed.ts';
import { podRequest, refusal } from './admission.ts';

const NODE = { cpuMilli: 2000, memoryBytes: 1024 };
const asks = (name: string, cpu: string, phase?: 'Running' | 'Failed') => ({
  ...testPod({ containers: [container('c', { resources: { requests: { cpu } } })] }, { uid: name }),
  ...(phase === undefined ? {} : { status: { phase } }),
});

test('a Pod that does not fit beside the others is refused; those that ended do not count', () => {
  assert.equal(refusal(asks('a', '1'), [asks('b', '1', 'Running')], NODE), undefined);
  assert.equal(refusal(asks('a', '1'), [asks('b', '1500m', 'Running')], NODE)?.reason, 'OutOfcpu');
  assert.equal(refusal(asks('a', '1'), [asks('b', '1500m', 'Failed')], NODE), undefined);
  assert.equal(
    refusal(asks('a', '2'), [asks('a', '2', 'Running')], NODE),
    undefined,
    'it does not compete with itself',
  );
});

test('settings of the kernel that weigh on the node are refused', () => {
  const withSetting = (name: string) => testPod({ securityContext: { sysctls: [{ name, value: '1' }] } });
  for (const name of ['net.ipv4.tcp_syncookies', 'net/ipv4/ip_unprivileged_port_start'])
    assert.equal(refusal(withSetting(name), [], NODE), undefined, name);
  for (const name of ['kernel.msgmax', 'fs.mqueue.queues_max', 'net.core.somaxconn', 'net.ipv4.ip_forward'])
    assert.deepEqual(refusal(withSetting(name), [], NODE), {
      reason: 'SysctlForbidden',
      message: `forbidden sysctl: "${name}" not allowlisted`,
    });
});

test('requests: containers together, or the largest init container', () => {
  const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
  const pod = testPod({
    initContainers: [
      container('side', { ...cpu('100m'), restartPolicy: 'Always' }),
      container('big', cpu('1')),
    ],
    containers: [container('a', cpu('200m')), container('b', { resources: { limits: { cpu: '300m' } } })],
  });
  assert.equal(podRequest(pod, 'cpu'), 1100);
});

test('what is not built is refused with its name', () => {
  assert.match(
    refusal(testPod({ shareProcessNamespace: true }), [], NODE)?.message ?? '',
    /shareProcessNamespace/,
  );
});

test('a Pod that asks for a user namespace and for what is the machine’s does not run', () => {
  const asked = { hostUsers: false, hostNetwork: true };
  assert.equal(refusal(testPod(asked), [], NODE)?.reason, 'UserNamespacesNotSupported');
  assert.equal(refusal(testPod({ hostUsers: false }), [], NODE), undefined);
  assert.equal(refusal(testPod({ hostUsers: true }), [], NODE), undefined);
});

test('the image that stands for programs of the node runs only where the API server granted it', () => {
  const embedded = { containers: [{ name: 'main', image: EMBEDDED_LAUNCHER_IMAGE }] };
  assert.equal(refusal(testPod(embedded), [], NODE)?.reason, 'EmbeddedImageNotGranted');
  const init = { initContainers: [{ name: 'i', image: EMBEDDED_LAUNCHER_IMAGE }] };
  assert.equal(refusal(testPod(init), [], NODE)?.reason, 'EmbeddedImageNotGranted');
  const pod = testPod(embedded);
  const metadata = { ...pod.metadata, annotations: { [EMBEDDED_IMAGE_GRANT]: 'admin' } };
  assert.equal(refusal({ ...pod, metadata }, [], NODE), undefined);
});
