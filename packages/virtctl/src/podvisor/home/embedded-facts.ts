/** What the page shows of an embedded home beside its objects: its doctor, and the alerts of its Prometheus. */
import { instancePaths, readInstanceConfig } from '@podvisor/sys';
import type { EmbeddedFacts } from '../../ui/cluster-facts.ts';
import { allChecks } from '../doctor/doctor.ts';
import { isMonitored } from '../monitoring/processes.ts';
import { prometheusApi } from '../monitoring/prometheus-api.ts';

/** `homeOf` is asked when somebody looks, not before. */
export function embeddedFacts(homeOf: () => string): EmbeddedFacts {
  return {
    doctor: () => allChecks(homeOf()),
    alerts: async () => {
      const paths = instancePaths(homeOf());
      const config = readInstanceConfig(paths.home);
      if (config === undefined || !isMonitored(paths)) return undefined;
      return prometheusApi(paths, config).alerts();
    },
  };
}
