/** The rows of lost nodes, and of VMs that run again after one. */
import { annotations, type Lease, type Node, type VirtualMachine } from '@podvisor/api';
import { controller, keyOf, onChange, type TableController, type Wake } from '@podvisor/kube';
import { attachmentPodsOf, ownPodsOf } from '../caches.ts';
import { BY_NODE } from '../caches/indexes.ts';
import type { ControllerContext } from '../context.ts';
import { nodeOfLease } from '../watch/node/liveness.ts';
import { NodeLossController } from '../watch/node-loss/controller.ts';
import { RestartedController } from '../watch/node-loss/restarted.ts';
import { NodeSilence } from '../watch/node-loss/silence.ts';
import { lostNodeOf } from '../watch/node-loss/watch-pod.ts';

/** A node is woken by the first Lease of its handler and comes back when the handler's time is up. */
export function nodeLossRow(context: ControllerContext): TableController {
  const { caches, config, clock } = context;
  const silence = new NodeSilence(clock);
  const times = () => config.current.nodeLoss;
  const isLost = (node: string): boolean =>
    (silence.silentMs(node, times().silenceMs) ?? 0) >= times().silenceMs;
  // There are none but while nodes are silent.
  const isWatched = (node: string): boolean =>
    caches.leaseWatches.list().some((pod) => lostNodeOf(pod) === node);
  const renewed = (lease: Lease, wake: Wake): void => {
    const node = nodeOfLease(lease);
    if (node === undefined) return;
    const isNews = silence.renewTime(node) === undefined || isLost(node) || isWatched(node);
    silence.observe(node, lease.spec?.renewTime, times().silenceMs);
    if (isNews || isSaidToBeOff(caches.nodes.get(node))) wake(node);
  };
  return controller({
    name: 'node-loss',
    workers: 2,
    wakes: [
      (wake) =>
        caches.leases.on({ add: (lease) => renewed(lease, wake), update: (lease) => renewed(lease, wake) }),
      onChange(caches.nodes, (node) => [node.metadata.name ?? '']),
      onChange(caches.leaseWatches, (pod) => [lostNodeOf(pod)].filter((node) => node !== undefined)),
      onChange(caches.vmis, ({ status }) =>
        status?.nodeName !== undefined && isLost(status.nodeName) ? [status.nodeName] : [],
      ),
    ],
    steps: new NodeLossController({
      ...context,
      silence,
      times,
      node: (name) => caches.nodes.get(name),
      vmisOn: (name) => caches.vmis.byIndex(BY_NODE, name),
      podsOf: (vmi) => {
        const launchers = ownPodsOf(caches, vmi);
        return { launchers, others: launchers.flatMap((launcher) => attachmentPodsOf(caches, launcher)) };
      },
      isWatched,
      watcher: (namespace, name) => caches.leaseWatches.get(`${namespace}/${name}`),
    }),
  });
}

function isSaidToBeOff(node: Node | undefined): boolean {
  return node?.metadata.annotations?.[annotations.fence] !== undefined;
}

export function restartedRow(context: ControllerContext): TableController {
  const { caches } = context;
  const wasLost = (vm: VirtualMachine | undefined): readonly string[] =>
    vm?.metadata?.annotations?.[annotations.lostWith] === undefined ? [] : [keyOf(vm)];
  return controller({
    name: 'restarted',
    workers: 1,
    wakes: [
      onChange(caches.vms, wasLost),
      onChange(caches.vmis, (vmi) => wasLost(caches.vms.get(keyOf(vmi)))),
    ],
    steps: new RestartedController({
      ...context,
      vm: (key) => caches.vms.get(key),
      vmi: (key) => caches.vmis.get(key),
    }),
  });
}
