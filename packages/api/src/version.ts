/** The version of the API that clients such as `virtctl version` and dashboards see. */
export const API_VERSION = 'v1.9.0-podvisor.0.1.0';
