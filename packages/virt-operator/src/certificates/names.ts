/** Where certificates are kept, all in the namespace of the installation. */

/** Secrets with `tls.crt` and `tls.key`. */
export const SECRETS = {
  /** Besides the CA that signs: its successor, as `next.crt` and `next.key`, before it takes over. */
  ca: 'kubevirt-ca',
  virtApi: 'kubevirt-virt-api-certs',
  virtApiClient: 'kubevirt-virt-api-client-certs',
  controller: 'kubevirt-controller-certs',
  /** Only where the web page is installed. */
  webPage: 'kubevirt-ui-certs',
} as const;

/** ConfigMap with `ca-bundle`: every CA that may have signed something that is still valid. */
export const CA_BUNDLE = { configMap: 'kubevirt-ca', key: 'ca-bundle' } as const;
