/** What all recordings of defaulting share: the cluster they ran in, and what changes from run to run. */
import { clusterConfig, type KubeVirtConfiguration, type VmDefaultsContext } from '@podvisor/api';

/** The KubeVirt object of a recording, as far as it was set. */
export interface RecordedConfig {
  readonly configuration?: KubeVirtConfiguration;
  readonly annotations?: Readonly<Record<string, string>>;
}

const NOW = '2026-11-15T00:00:00Z';
const UUID = '00000000-0000-4000-8000-000000000000';

/** The context of a recording. */
export function recordedDefaults(recorded: RecordedConfig | null): VmDefaultsContext {
  const kubevirt = recorded && {
    spec: { ...(recorded.configuration && { configuration: recorded.configuration }) },
    metadata: { annotations: recorded.annotations ?? {} },
  };
  return { config: clusterConfig(kubevirt ?? undefined), now: NOW, newUuid: () => UUID };
}

/** Random and timed values become constants, in the recording as in our answer. */
export function stable(value: unknown, input: unknown): unknown {
  const given = JSON.stringify(input);
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (key === 'phaseTransitionTimestamp') return NOW;
      const isUuid = typeof part === 'string' && /^[0-9a-f-]{36}$/.test(part);
      return (key === 'uuid' || key === 'serial') && isUuid && !given.includes(part) ? UUID : part;
    }),
  );
}
