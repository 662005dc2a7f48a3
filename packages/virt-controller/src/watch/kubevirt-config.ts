/**
 * Says in the KubeVirt object whether its configuration is in use. An edit that cannot be read is refused by
 * the webhook; one that gets past it (made while virt-api was away) leaves the last good configuration in
 * force, and this condition tells so.
 */
import { clusterConfig, type KubeVirt } from '@podvisor/api';
import { type Clock, deepEqual, messageOf } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources, type ControllerSteps } from '@podvisor/kube';
import { findCondition, removeCondition, setCondition } from './conditions.ts';
import type { Recorder } from './recorder.ts';

export const CONFIGURATION_CONDITION = 'Synchronized';
const REASON = 'InvalidConfiguration';

/** The conditions after a look at the configuration; the same list when nothing changes. Pure. */
export function configurationConditions(
  kubevirt: KubeVirt,
  nowMs: number,
): NonNullable<NonNullable<KubeVirt['status']>['conditions']> {
  const old = kubevirt.status?.conditions ?? [];
  try {
    clusterConfig(kubevirt);
  } catch (error) {
    const message = `The configuration cannot be read, the last good one stays in force: ${messageOf(error)}`;
    return setCondition(
      old,
      { type: CONFIGURATION_CONDITION, status: 'False', reason: REASON, message },
      nowMs,
    );
  }
  // Others use this condition too (a second KubeVirt object): only what we said is taken back.
  return findCondition(old, CONFIGURATION_CONDITION)?.reason === REASON
    ? removeCondition(old, CONFIGURATION_CONDITION)
    : old;
}

export interface ConfigReporterOptions {
  readonly client: Pick<KubeClient, 'updateStatus'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  kubevirt(key: string): KubeVirt | undefined;
}

type Conditions = ReturnType<typeof configurationConditions>;

export class ConfigReporter implements ControllerSteps<KubeVirt, Conditions> {
  readonly #options: ConfigReporterOptions;

  constructor(options: ConfigReporterOptions) {
    this.#options = options;
  }

  observe(key: string): KubeVirt | undefined {
    const kubevirt = this.#options.kubevirt(key);
    return (kubevirt?.status?.phase ?? '') === '' ? undefined : kubevirt;
  }

  plan(kubevirt: KubeVirt): Conditions {
    return configurationConditions(kubevirt, this.#options.clock.now());
  }

  async apply(conditions: Conditions, kubevirt: KubeVirt, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder } = this.#options;
    if (deepEqual(conditions, kubevirt.status?.conditions ?? [])) return;
    const status = { ...kubevirt.status, conditions };
    await client.updateStatus(resources.kubeVirts, { ...kubevirt, status }, {}, signal);
    const problem = findCondition(conditions, CONFIGURATION_CONDITION);
    if (problem?.reason === REASON) recorder.event(kubevirt, 'Warning', REASON, problem.message ?? '');
  }
}
