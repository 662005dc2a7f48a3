/** What a process uses of the machine and how long its certificates last, asked when somebody reads. */
import { PROCESS_METRICS as M } from '@podvisor/api';
import type { MetricFamily } from '@podvisor/base';
import { validityOf } from '../pki/files.ts';

/** `certificates`: PEM by the name of what it proves. */
export function processFamilies(
  certificates: Readonly<Record<string, string>> = {},
): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  return [
    { definition: M.processCpuSecondsTotal, samples: [{ value: (user + system) / 1e6 }] },
    { definition: M.processResidentMemoryBytes, samples: [{ value: process.memoryUsage.rss() }] },
    { definition: M.processStartTimeSeconds, samples: [{ value: performance.timeOrigin / 1000 }] },
    {
      definition: M.certificateExpirationTimestampSeconds,
      samples: Object.entries(certificates).map(([certificate, pem]) => ({
        labels: { certificate },
        value: validityOf(pem).notAfter / 1000,
      })),
    },
  ];
}
