/**
 * virt-handler on every node that may run guests. Pure. It is root on the node, as KubeVirt's: it looks into launchers
 * (host processes), plugs devices and networks into them (privileged) and serves device plugins to the kubelet. It
 * mounts no Secret but the key of hibernated guests: its own keys are made in it, and it asks for certificates by its
 * Lease. What libvirt and QEMU of the launcher's image can on the node, ask-node asks from that image before it starts.
 */
import { HANDLER_STATE_DIR, serviceAccounts } from '@podvisor/api';
import type { Manifest } from './manifest.ts';
import { flagsOf, imageOf, podTemplate } from './pod-template.ts';
import type { PodComponents } from './settings.ts';

const NAME = 'virt-handler';
const PORT = 8186;
const KUBELET = '/var/lib/kubelet';
const TLS = '/run/podvisor-tls';
const ANSWER = '/run/podvisor-node';
const CACHE = `${HANDLER_STATE_DIR}/capabilities-cache`;

const hostPath = (name: string, path: string, type?: string): object => ({
  name,
  hostPath: { path, ...(type === undefined ? {} : { type }) },
});
const field = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });

export function handlerDaemonSet(namespace: string, components: PodComponents): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace, labels: { 'kubevirt.io': NAME } },
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: { 'kubevirt.io': NAME } },
      template: podTemplate(components, {
        name: NAME,
        serviceAccount: serviceAccounts.handler,
        placement: components.workloadPlacement,
        spec: {
          hostPID: true,
          volumes: [
            hostPath('kubelet', KUBELET, 'Directory'),
            hostPath('state', HANDLER_STATE_DIR, 'DirectoryOrCreate'),
            hostPath('cgroups', '/sys/fs/cgroup'),
            { name: 'tls', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
            { name: 'tmp', emptyDir: {} },
            { name: 'node-answer', emptyDir: {} },
          ],
          initContainers: [
            {
              name: 'ask-node',
              image: imageOf(components, 'virt-launcher'),
              imagePullPolicy: components.pullPolicy,
              command: ['/usr/lib/podvisor/ask-node'],
              args: [`--answer=${ANSWER}/answer.json`, `--capabilities-cache-dir=${CACHE}`],
              resources: { requests: { cpu: '10m', memory: '200Mi' } },
              // It looks at /dev/kvm as a launcher will, and its libvirtd is nobody's.
              securityContext: { privileged: true, runAsUser: 0, readOnlyRootFilesystem: true },
              volumeMounts: [
                { name: 'state', mountPath: HANDLER_STATE_DIR },
                { name: 'tmp', mountPath: '/tmp' },
                { name: 'node-answer', mountPath: ANSWER },
              ],
            },
          ],
          containers: [
            {
              name: NAME,
              image: imageOf(components, NAME),
              imagePullPolicy: components.pullPolicy,
              args: [
                `--namespace=${namespace}`,
                '--node-name=$(NODE_NAME)',
                `--listen=0.0.0.0:${PORT}`,
                `--advertise=$(POD_IP):${PORT}`,
                `--kubelet-dir=${KUBELET}`,
                // With the node's process ids, its first process leads to the node's own /dev.
                '--host-root=/proc/1/root',
                `--state-dir=${HANDLER_STATE_DIR}`,
                `--capabilities-cache-dir=${CACHE}`,
                `--node-answer=${ANSWER}/answer.json`,
                `--tls-dir=${TLS}`,
                '--certificates-by-lease=$(POD_UID)',
                ...flagsOf(components.flags.handler),
              ],
              env: [
                field('NODE_NAME', 'spec.nodeName'),
                field('POD_IP', 'status.podIP'),
                field('POD_UID', 'metadata.uid'),
              ],
              ports: [{ name: 'metrics', containerPort: PORT, protocol: 'TCP' }],
              resources: { requests: { cpu: '10m', memory: '200Mi' } },
              // What it makes is for launchers of all categories.
              securityContext: { privileged: true, runAsUser: 0, seLinuxOptions: { level: 's0' } },
              // It listens once it has its certificates.
              readinessProbe: { tcpSocket: { port: PORT }, initialDelaySeconds: 1, periodSeconds: 5 },
              livenessProbe: { tcpSocket: { port: PORT }, initialDelaySeconds: 60, periodSeconds: 30 },
              volumeMounts: [
                // Disks that are plugged into a launcher are mounted here and must be seen there.
                { name: 'kubelet', mountPath: KUBELET, mountPropagation: 'Bidirectional' },
                { name: 'state', mountPath: HANDLER_STATE_DIR },
                { name: 'cgroups', mountPath: '/sys/fs/cgroup' },
                { name: 'tls', mountPath: TLS },
                { name: 'tmp', mountPath: '/tmp' },
                { name: 'node-answer', mountPath: ANSWER, readOnly: true },
              ],
            },
          ],
        },
      }),
    },
  };
}
