/**
 * How virt-handler gets its certificates on a cluster: it writes a request into its own Lease and virt-operator the
 * answer (docs/contracts.md, section 3). Keys never leave the node.
 */

/** Annotation `podvisor.io/certificate-request`, as JSON: public keys, DER in base64. */
export interface CertificateRequestAnnotation {
  /** UID of the Pod that asks. */
  readonly pod: string;
  readonly server: string;
  readonly migrationServer: string;
  readonly migrationClient: string;
}

/** Annotation `podvisor.io/certificates`, as JSON: PEM. */
export interface CertificateAnswer {
  /** SHA-256 of the request that is answered, in base64. */
  readonly request: string;
  /** Every CA that is to be trusted. */
  readonly ca: string;
  readonly server: string;
  readonly migrationServer: string;
  readonly migrationClient: string;
}

const KEYS = ['pod', 'server', 'migrationServer', 'migrationClient'] as const;
const MAX_CHARACTERS = 4096;

/** Undefined when the text is none: it comes from a node. */
export function parseCertificateRequest(text: string): CertificateRequestAnnotation | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const fields = JSON.parse(text) as Record<string, unknown>;
    const values = KEYS.map((key) => fields[key]);
    if (!values.every((value) => typeof value === 'string')) return undefined;
    const [pod = '', server = '', migrationServer = '', migrationClient = ''] = values;
    return { pod, server, migrationServer, migrationClient };
  } catch {
    return undefined;
  }
}
