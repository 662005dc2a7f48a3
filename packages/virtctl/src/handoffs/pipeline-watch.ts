/** Follows one VM's objects (VM, VMI, launcher Pod) and tells about every change, until told to stop. */
import type { Pod, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { quietLog } from '../quiet-log.ts';
import type { PipelineObjects } from './handoffs.ts';

/** Reads the objects once. */
export async function readPipeline(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<PipelineObjects> {
  const [vm, vmi, pods] = await Promise.all([
    client.find(resources.virtualMachines, { namespace, name }),
    client.find(resources.virtualMachineInstances, { namespace, name }),
    client.list(resources.pods, { namespace, labelSelector: 'kubevirt.io=virt-launcher' }),
  ]);
  return { vm, vmi, pod: launcherOf(pods.items, vmi) };
}

/** The Pod that runs this VMI: by UID, never by name. While it migrates, that is not the newest. */
export function launcherOf(pods: readonly Pod[], vmi: VirtualMachineInstance | undefined): Pod | undefined {
  const own = pods
    .filter(
      (pod) => vmi !== undefined && pod.metadata.labels?.['kubevirt.io/created-by'] === vmi.metadata?.uid,
    )
    .toSorted((a, b) =>
      (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
    );
  const node = vmi?.status?.nodeName;
  return own.find(({ spec }) => node !== undefined && spec.nodeName === node) ?? own[0];
}

/** Calls `onChange` with all objects after each change; resolves when it returns true or the signal ends. */
export async function watchPipeline(
  client: KubeClient,
  namespace: string,
  name: string,
  onChange: (objects: PipelineObjects) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const options = { client, namespace, log: quietLog };
  const fieldSelector = `metadata.name=${name}`;
  const vms = new Informer<VirtualMachine>({
    ...options,
    resource: resources.virtualMachines,
    fieldSelector,
  });
  const vmis = new Informer<VirtualMachineInstance>({
    ...options,
    resource: resources.virtualMachineInstances,
    fieldSelector,
  });
  const pods = new Informer<Pod>({
    ...options,
    resource: resources.pods,
    labelSelector: 'kubevirt.io=virt-launcher',
  });
  const finished = Promise.withResolvers<void>();
  let complete = false;
  const look = (): void => {
    // Before the first lists are in, an object that was not seen is unknown, not absent.
    if (!complete) return;
    const key = `${namespace}/${name}`;
    const vmi = vmis.get(key);
    if (onChange({ vm: vms.get(key), vmi, pod: launcherOf(pods.list(), vmi) })) finished.resolve();
  };
  both.addEventListener('abort', () => finished.reject(signal.reason as Error), { once: true });
  const handler = { add: look, update: look, delete: look };
  for (const informer of [vms, vmis, pods]) {
    informer.on(handler);
    informer.start(both);
  }
  try {
    await Promise.race([
      Promise.all([vms, vmis, pods].map((informer) => informer.synced())),
      finished.promise,
    ]);
    complete = true;
    look();
    await finished.promise;
  } finally {
    stop.abort();
  }
}
