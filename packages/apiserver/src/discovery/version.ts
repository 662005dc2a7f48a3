/**
 * `GET /version`: the Kubernetes version that we follow, in the fields by which clients decide what a server can do,
 * and whose build it is.
 */
import { KUBERNETES_BUILD } from '@podvisor/api';
import type { JsonObject } from '../wire/json.ts';

export const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: KUBERNETES_BUILD,
  // Not built from a commit of Kubernetes, and not by Go: required fields of which we have nothing to say.
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: `node ${process.versions.node}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
