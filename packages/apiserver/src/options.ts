/** What the API server needs to run, and what whoever starts it gets back. */
import type { Duplex } from 'node:stream';
import type { Clock, MetricFamily } from '@podvisor/base';
import type { ServerLimits } from './limits/server-limits.ts';
import type { StoreLimits } from '@podvisor/store';
import type { EmbeddedImageUsers } from './admission/embedded-image/rule.ts';
import type { NodeProxy } from '@podvisor/home-contract';
import type { KubernetesObject } from '@podvisor/api';
import type { KubeObject } from './wire/json.ts';

/** Structured log: a constant message and fields. A pino logger fits. */
export interface ApiServerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Keys that sign and check service-account tokens, PEM (RSA or P-256). */
export interface ServiceAccountKeys {
  readonly privateKey: string;
  /** Further public keys that are accepted, for rotation. */
  readonly publicKeys?: readonly string[];
  /** `iss` of tokens; `https://kubernetes.default.svc` unless given. */
  readonly issuer?: string;
}

/** Serving certificate, its key, and the CA that client certificates must chain to. PEM. */
export interface ServingTls {
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string;
}

export interface AuditOptions {
  /** An audit.k8s.io/v1 Policy as YAML. */
  readonly policy: string;
  readonly path: string;
  /** Size at which a new file is begun; one old file is kept. */
  readonly maxBytes: number;
}

export interface ApiServerOptions {
  /** File of the SQLite store; made when it does not exist. */
  readonly storePath: string;
  /** An apiserver.config.k8s.io/v1 EncryptionConfiguration as YAML; nothing is encrypted without it. */
  readonly encryption?: string;
  readonly host: string;
  /** Further addresses to listen on, with the same port. */
  readonly alsoOn?: readonly string[];
  /** 0 takes a free port. */
  readonly port: number;
  readonly tls: ServingTls;
  /** How the server shows itself to webhooks and extension API servers. PEM. */
  readonly frontProxy: { readonly clientCert: string; readonly clientKey: string; readonly ca: string };
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** Reaches containers for logs, exec, attach and port-forward; without it those answer 501. */
  readonly nodeProxy?: NodeProxy;
  /** Ranges that ClusterIPs are taken from, one a family, the default one first; 10.96.0.0/16 unless given. */
  readonly serviceCidrs?: readonly string[];
  /** What the store keeps for itself of its disk, in bytes; nothing unless given. */
  readonly storeReserveBytes?: number;
  /**
   * Services that may lead webhooks and APIServices to a server on this machine's loopback: those that an
   * administrator keeps. None unless given.
   */
  mayUseLoopback?(service: { readonly namespace: string; readonly name: string }): boolean;
  /** How much is taken on at once, and how long clients may be slow. */
  readonly limits?: Partial<ServerLimits>;
  /** How much history is kept; smaller only to see it forgotten. */
  readonly history?: Partial<StoreLimits>;
  /** Called once when the store can no longer be trusted. Nothing is served right after that: end the process. */
  readonly onBroken?: (error: Error) => void;
  /** Notes requests in a file; nothing is noted without it. */
  readonly audit?: AuditOptions;
  /** Components whose Pods use the image that stands for the node's own programs; absent: none. */
  readonly embeddedImageUsers?: EmbeddedImageUsers;
  /** Metrics of others in this process, served with the server's own. */
  metrics?(): readonly MetricFamily[];
  /** Roles and bindings of parts of this process, kept beside the default ones. */
  readonly roles?: readonly KubernetesObject[];
  /** Hears of every object that a client created, and when its request came; for traces. */
  readonly onCreated?: ((object: KubeObject, beganMs: number) => void) | undefined;
  /**
   * Runs when everything is served inside the process and the port is not open yet: what must be there before anybody
   * asks is installed here. The server listens when it has resolved; a rejection is the server's.
   */
  beforeListening?(inside: InsideApi): Promise<void>;
  /** An AdmissionConfiguration (YAML) of the administrator. */
  readonly admission?: string;
  readonly clock: Clock;
  readonly log: ApiServerLog;
}

/** The way in for parts of the server's own process. */
export interface InsideApi {
  /**
   * Opens connections in memory for a part of this process, as the user of this client certificate (PEM).
   * Throws when the client CA did not sign it.
   */
  admit(certificate: string): () => Duplex;
  /** The same for a part that has a service account in place of a certificate. */
  admitAccount(namespace: string, name: string): () => Duplex;
}

export interface ApiServer extends InsideApi {
  /** `https://host:port`. */
  readonly url: string;
  readonly port: number;
  /** New connections get this certificate from now on; open ones go on. */
  reloadTls(tls: ServingTls): void;
  /** Ends watches and connections, flushes the store. */
  close(): Promise<void>;
}
