/** The command line of data-volumes. */
import { parseArgs } from 'node:util';
import type { WorkerImage } from './worker-pod.ts';

export interface Flags {
  /** Absent: `$KUBECONFIG`, or the Pod's service account. */
  readonly kubeconfig?: string;
  /** Of the lease. */
  readonly namespace: string;
  readonly worker: WorkerImage;
}

const POLICIES = ['Always', 'IfNotPresent', 'Never'] as const;

/** Throws an error for people when something is missing or wrong. */
export function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      'worker-image': { type: 'string' },
      'worker-pull-policy': { type: 'string', default: 'IfNotPresent' },
      'worker-user-namespace': { type: 'boolean', default: false },
    },
  });
  const image = values['worker-image'];
  if (image === undefined) throw new Error('--worker-image is required: the image that holds the importer');
  const pullPolicy = POLICIES.find((policy) => policy === values['worker-pull-policy']);
  if (pullPolicy === undefined) throw new Error(`--worker-pull-policy must be one of ${POLICIES.join(', ')}`);
  return {
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    namespace: values.namespace,
    worker: { image, pullPolicy, userNamespace: values['worker-user-namespace'] },
  };
}
