/** `GET /version`: the Kubernetes version whose behaviour we serve. */
import type { JsonObject } from '../wire/json.ts';

export const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.4',
  gitCommit: 'bb826b1d48562f110659e64e8ec444327433db95',
  gitTreeState: 'clean',
  buildDate: '2026-08-20T03:06:27Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
};
