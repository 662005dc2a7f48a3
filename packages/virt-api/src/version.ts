/** The version of the API that clients such as `virtctl version` see. */
export const VERSION = 'v1.9.0-podvisor.0.1.0';
