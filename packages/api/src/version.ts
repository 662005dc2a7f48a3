/** The version of the API that clients such as `virtctl version` and dashboards see. */
export const API_VERSION = 'v1.9.0-podvisor.0.1.0';

/** The version of Kubernetes that the embedded cluster follows. */
export const KUBERNETES_VERSION = 'v1.36.4';
/**
 * The same, as its server and its nodes report it. Like other distributions we put our name behind a plus sign,
 * where no comparison of versions looks.
 */
export const KUBERNETES_BUILD = `${KUBERNETES_VERSION}+${API_VERSION.replace(/^.*-/, '')}`;
