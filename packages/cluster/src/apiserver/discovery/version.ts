/**
 * `GET /version`: the Kubernetes version that we follow, in the fields by which clients decide what a server can do,
 * and whose build it is. Like other distributions we put our name behind a plus sign, where no comparison of
 * versions looks.
 */
import { API_VERSION } from '@podvisor/api';
import type { JsonObject } from '../wire/json.ts';

/** Our own version, without that of the KubeVirt API before it. */
const BUILD = API_VERSION.replace(/^.*-/, '');

export const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `v1.36.4+${BUILD}`,
  // Not built from a commit of Kubernetes, and not by Go: required fields of which we have nothing to say.
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: `node ${process.versions.node}`,
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
