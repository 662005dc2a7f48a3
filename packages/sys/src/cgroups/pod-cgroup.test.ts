import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireUid } from '@podvisor/base';
import { containerGroups, isProcessInPod, podOfCgroups } from './pod-cgroup.ts';

const UID = '6b1f0b0e-1111-4222-8333-444455556666';
const OTHER = '7c2f0b0e-1111-4222-8333-444455556666';
const CONTAINER = 'b5f2'.repeat(16);
const under = UID.replaceAll('-', '_');
const OWN = '0::/system.slice/virt-handler.service\n';

const inPod: readonly [string, string, string?][] = [
  ['cgroupfs, v2', `0::/kubepods/burstable/pod${UID}/1234abcd\n`],
  [
    'systemd, v2',
    `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${under}.slice/cri-1.scope\n`,
  ],
  [
    'containerd, systemd driver',
    `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${under}.slice/cri-containerd-${CONTAINER}.scope\n`,
  ],
  [
    'containerd, cgroupfs driver, all hierarchies of v1 and an empty one of v2',
    `12:devices:/kubepods/besteffort/pod${UID}/${CONTAINER}\n1:name=systemd:/kubepods/besteffort/pod${UID}/${CONTAINER}\n0::/\n`,
  ],
  [
    'containerd in a group of its own, with the drivers of kubelet and runtime not the same',
    `11:devices:/system.slice/containerd.service/kubepods-burstable-pod${under}.slice:cri-containerd:${CONTAINER}\n`,
  ],
  [
    'CRI-O with runc',
    `0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${under}.slice/crio-${CONTAINER}.scope\n`,
  ],
  [
    'CRI-O with crun, which puts the container a level deeper',
    `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${under}.slice/crio-${CONTAINER}.scope/container\n`,
  ],
  ['CRI-O with the cgroupfs driver', `0::/kubepods/burstable/pod${UID}/crio-${CONTAINER}\n`],
  [
    'Docker (cri-dockerd)',
    `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${under}.slice/docker-${CONTAINER}.scope\n`,
  ],
  ['a kubelet with a cgroup root', `0::/nodes/kubepods/burstable/pod${UID}/${CONTAINER}\n`],
  [
    'a namespace of control groups of our own: a Pod of another class',
    `0::/../../../kubepods-besteffort.slice/kubepods-besteffort-pod${under}.slice/cri-containerd-${CONTAINER}.scope\n`,
    '0::/\n',
  ],
  ['guaranteed', `0::/kubepods.slice/kubepods-pod${under}.slice/cri-1.scope\n`],
  ['kind', `0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable-pod${under}.slice/x\n`],
  [
    'the embedded home',
    `9:name=systemd:/podvisor/p1/${UID}/compute-0\n8:pids:/podvisor/p1/${UID}/compute-0\n`,
  ],
  ['some hierarchies only', `9:name=systemd:/podvisor/p1/${UID}/compute-0\n8:pids:/\n0::/\n`],
  ['a group of its own making', `0::/kubepods/pod${UID}/c/pod${OTHER}\n`],
  ['a namespace of control groups', `0::/../../pod${UID}/c\n`, '0::/\n'],
  [
    'a node inside a Pod',
    `0::/kubepods/pod${OTHER}/node/kubepods/pod${UID}/c\n`,
    `0::/kubepods/pod${OTHER}/node/system.slice\n`,
  ],
];

for (const [name, cgroups, own = OWN] of inPod)
  test(`a process is in its Pod: ${name}`, () => assert.equal(podOfCgroups(cgroups, own), UID));

const outside: readonly [string, string][] = [
  ['the first process', '0::/\n'],
  ['init', '0::/init.scope\n'],
  ['text inside a segment', `0::/kubepods/xpod${UID}x/c\n`],
  ['a name that only ends with it', `0::/user.slice/evil-pod${under}.slice/c\n`],
  ['the UID in a controller list', `3:name=pod${UID}:/user.slice\n`],
  ['a Pod’s name before another word', `0::/user.slice/kubepods-pod${under}.slice.evil/c\n`],
  ['a container’s name without its runtime', `0::/user.slice/kubepods-pod${under}.slice:${CONTAINER}\n`],
  ['the Pod of this process, in a namespace of its own', '0::/\n'],
  ['a UUID that is no Pod', `0::/garden/${UID}/x\n`],
  ['two Pods', `9:a:/podvisor/p1/${UID}/c\n8:b:/podvisor/p1/${OTHER}/c\n`],
  ['nothing', ''],
];

for (const [name, cgroups] of outside)
  test(`a process is in no Pod: ${name}`, () => assert.equal(podOfCgroups(cgroups, OWN), undefined));

test('neither the first process nor this one is in a Pod', () => {
  for (const pid of [0, 1, -1, Number.NaN, 1.5, process.pid])
    assert.equal(isProcessInPod(pid, requireUid(UID)), false);
});

const POD = `/kubepods.slice/kubepods-pod${under}.slice`;
const groups: readonly [string, string, readonly string[]][] = [
  ['one', `${POD}/cri-containerd-${CONTAINER}.scope`, [`${POD}/cri-containerd-${CONTAINER}.scope`]],
  ['two of crun', `${POD}/crio-1.scope/container`, [`${POD}/crio-1.scope`, `${POD}/crio-1.scope/container`]],
  [
    'a node that is a container of another cluster',
    `/kubepods/pod${OTHER}/node/kubepods/pod${UID}/c`,
    [`/kubepods/pod${OTHER}/node/kubepods/pod${UID}/c`],
  ],
  ['the embedded home', `/podvisor/p1/${UID}/compute-0`, [`/podvisor/p1/${UID}/compute-0`]],
  ['of no Pod', '/system.slice/a.service/b', ['/system.slice/a.service/b']],
  ['the Pod’s own', POD, [POD]],
];

for (const [name, path, expected] of groups)
  test(`groups of a container: ${name}`, () => assert.deepEqual(containerGroups(path), expected));
