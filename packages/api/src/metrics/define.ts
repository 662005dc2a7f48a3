/** How the lists of metrics write one down. */
import type { MetricDefinition } from '@podvisor/base';

export const define = (type: MetricDefinition['type'], name: string, help: string): MetricDefinition => ({
  name,
  type,
  help,
});
