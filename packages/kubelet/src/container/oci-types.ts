/** The parts of the OCI runtime specification 1.0 that we write. */
export interface OciMount {
  readonly destination: string;
  readonly type?: string;
  readonly source?: string;
  readonly options?: readonly string[];
}

export interface OciIdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: number;
}

export interface OciDevice {
  readonly path: string;
  readonly type: 'c' | 'b';
  readonly major: number;
  readonly minor: number;
  readonly fileMode?: number;
  readonly uid?: number;
  readonly gid?: number;
}

export interface OciDeviceRule {
  readonly allow: boolean;
  readonly type?: 'a' | 'c' | 'b';
  readonly major?: number;
  readonly minor?: number;
  readonly access: string;
}

export interface OciProcess {
  readonly terminal: boolean;
  readonly user: { readonly uid: number; readonly gid: number; readonly additionalGids?: readonly number[] };
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
  readonly capabilities: Readonly<
    Record<'bounding' | 'effective' | 'permitted' | 'inheritable' | 'ambient', readonly string[]>
  >;
  readonly noNewPrivileges: boolean;
  readonly apparmorProfile?: string;
  readonly selinuxLabel?: string;
  readonly oomScoreAdj?: number;
  readonly rlimits?: readonly { readonly type: string; readonly soft: number; readonly hard: number }[];
}

export interface OciResources {
  readonly devices: readonly OciDeviceRule[];
  readonly memory?: { readonly limit?: number };
  readonly cpu?: { readonly shares?: number; readonly quota?: number; readonly period?: number };
  readonly pids?: { readonly limit: number };
  readonly hugepageLimits?: readonly { readonly pageSize: string; readonly limit: number }[];
}

export interface OciSeccomp {
  readonly defaultAction: string;
  readonly architectures: readonly string[];
  readonly syscalls: readonly {
    readonly names: readonly string[];
    readonly action: string;
    readonly errnoRet?: number;
    readonly args?: readonly {
      readonly index: number;
      readonly value: number;
      readonly valueTwo?: number;
      readonly op: string;
    }[];
  }[];
}

export interface OciSpec {
  readonly ociVersion: string;
  readonly hostname?: string;
  readonly root: { readonly path: string; readonly readonly: boolean };
  readonly process: OciProcess;
  readonly mounts: readonly OciMount[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly linux: {
    readonly cgroupsPath: string;
    readonly uidMappings?: readonly OciIdMapping[];
    readonly gidMappings?: readonly OciIdMapping[];
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly devices: readonly OciDevice[];
    readonly resources: OciResources;
    readonly rootfsPropagation: string;
    readonly mountLabel?: string;
    readonly maskedPaths?: readonly string[];
    readonly readonlyPaths?: readonly string[];
    readonly seccomp?: OciSeccomp;
    readonly sysctl?: Readonly<Record<string, string>>;
  };
}
