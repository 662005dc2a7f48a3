/** The version of Kubernetes that this cluster follows, as its server and its nodes report it. */
import { API_VERSION } from '@podvisor/api';

/** Our own version, without that of the KubeVirt API before it. */
const BUILD = API_VERSION.replace(/^.*-/, '');

export const KUBERNETES_VERSION = 'v1.36.4';
/** Like other distributions we put our name behind a plus sign, where no comparison of versions looks. */
export const GIT_VERSION = `${KUBERNETES_VERSION}+${BUILD}`;
